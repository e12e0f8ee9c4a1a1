import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted, Modified, modified } from '#contracts/api.ts'
import { MachineChange, MachineKind, MachinePart, NewMachinePart } from '#contracts/machine.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { type Env, perMinute, requireUser, valid } from '#server/http/guards.ts'
import { checkFields, listMachineKinds } from './machine-fields.ts'
import { addByFields, addByNumber, changePart, listMachine, removePart } from './store.ts'

const notThere = () => new AppError('NOT_FOUND', 'There is no such part in your machine')

/** The parts of the caller's PC. */
export function machineRoutes(deps: { db: Database; catalogue: CatalogueCache }) {
  const { db } = deps
  return new Hono<Env>()
    .get(
      '/me/machine',
      requireUser({
        summary: 'Lists the parts of the caller’s machine: what was shipped, and what was added.',
        answer: z.array(MachinePart),
      }),
      async (c) => c.json((await listMachine(deps, c.var.caller._id)) satisfies MachinePart[]),
    )
    .get(
      '/me/machine/fields',
      requireUser({
        summary: 'Lists what rules of fit read of parts, to add one that the shop does not sell.',
        answer: z.array(MachineKind),
      }),
      async (c) => c.json((await listMachineKinds(db)) satisfies MachineKind[]),
    )
    .post(
      '/me/machine',
      requireUser({
        summary: 'Adds a part to the caller’s machine.',
        limit: perMinute(60),
        answer: Inserted,
        errors: ['NOT_FOUND', 'TOO_MANY'],
      }),
      valid('json', NewMachinePart),
      async (c) => {
        const { number, kind = '', name = '', specs = {}, quantity } = c.req.valid('json')
        const { _id } = c.var.caller
        if (number !== undefined)
          return c.json(inserted(await addByNumber(db, _id, number, quantity)))
        const checked = await checkFields(db, kind, specs)
        return c.json(
          inserted(await addByFields(db, _id, { kind, name, specs: checked, quantity })),
        )
      },
    )
    .put(
      '/me/machine/:id',
      requireUser({
        summary: 'Changes a part of the caller’s machine.',
        limit: perMinute(120),
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      valid('json', MachineChange),
      async (c) => {
        const { id } = c.req.valid('param')
        if (!(await changePart(db, c.var.caller._id, id, c.req.valid('json')))) throw notThere()
        return c.json(modified(1))
      },
    )
    .delete(
      '/me/machine/:id',
      requireUser({
        summary: 'Removes a part from the caller’s machine.',
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        if (!(await removePart(db, c.var.caller._id, c.req.valid('param').id))) throw notThere()
        return c.json(deleted(1))
      },
    )
}
