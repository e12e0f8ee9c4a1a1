import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUpDown, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isBookable, isLow } from '#contracts/catalogue.ts'
import type { KindRow } from '#contracts/kind-edits.ts'
import { PartFilter, PartList } from '#contracts/lists.ts'
import { messages } from '#contracts/messages.ts'
import { type AdminPart, partFields } from '#contracts/parts.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListFrame, ListTable, SortHeader } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { UndoBar } from '#web/components/undo-bar.tsx'
import { filterOf, type ListAddress, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { whyFound } from '#web/lib/lists/why-found.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useScanner } from '#web/lib/use-scanner.ts'
import {
  adminPartsCountQuery,
  adminPartsQuery,
  findByCode,
  kindsQuery,
  partFilters,
  partsCsv,
  useDeletePart,
  useRestorePart,
} from './admin-queries.ts'
import { MoveBars, type Moves, useMoves } from './manage-order.tsx'

export const meta = titled('Manage all products')

/** Deletes a part after a confirmation, offers undo, and restores deleted parts. */
function usePartActions() {
  const remove = useDeletePart()
  const restore = useRestorePart()
  const [confirming, setConfirming] = useState<AdminPart | null>(null)
  const [deleted, setDeleted] = useState<AdminPart | null>(null)
  const [changes, setChanges] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  // a double click can arrive before the button is disabled
  const working = useRef(false)

  // the row and its button are gone: move the focus to the heading
  useEffect(() => {
    if (changes > 0) heading.current?.focus()
  }, [changes])

  function run(action: typeof remove, part: AdminPart, onDone: () => void) {
    if (working.current) return
    working.current = true
    action.mutate(part, {
      onSuccess: () => {
        onDone()
        setChanges((count) => count + 1)
      },
      onError: (problem) => toast('error', problem.message),
      onSettled: () => {
        working.current = false
        setConfirming(null)
      },
    })
  }

  return {
    heading,
    confirming,
    ask: setConfirming,
    deleted,
    forget: () => setDeleted(null),
    isDeleting: remove.isPending,
    restoring: restore.isPending ? restore.variables._id : undefined,
    remove: (part: AdminPart) => run(remove, part, () => setDeleted(part)),
    restore: (part: AdminPart) =>
      run(restore, part, () => {
        setDeleted(null)
        void toast(
          'success',
          `${part.name} is ${part.state === 'draft' ? 'a draft' : 'on sale'} again`,
        )
      }),
  }
}

type TableProps = {
  address: ListAddress
  parts: AdminPart[]
  /** The id of the part being restored. */
  restoring: string | undefined
  onDelete: (part: AdminPart) => void
  onRestore: (part: AdminPart) => void
  moves: Moves
}

function StateTag({ part }: { part: AdminPart }) {
  if (part.deletedAt) return <span className="tag">deleted</span>
  if (part.state === 'draft') return <span className="tag">draft</span>
  if (!isBookable(part)) return <span className="tag tag-strong">sold out</span>
  return isLow(part) ? <span className="tag">nearly sold out</span> : null
}

/** A number cell. On a card, its column name precedes it. */
const figure = 'figure [&::before]:me-1.5 [&::before]:inline'

type RowProps = Omit<TableProps, 'address' | 'parts'> & { part: AdminPart; q: string }

/** The actions of a row: delete, restore or move the part, or put the picked-up part before it. */
function RowActions({ part, moves, ...rest }: Omit<RowProps, 'q'>) {
  if (moves.held && !part.deletedAt) {
    if (moves.held._id === part._id) return <span className="tag tag-strong">moving</span>
    return (
      <RowButton
        busy={moves.busy}
        aria-label={`Put ${moves.held.name} before ${part.name}`}
        onClick={() => moves.put({ before: part._id }, `before ${part.name}`)}
      >
        Put before
      </RowButton>
    )
  }
  if (part.deletedAt) {
    return (
      <RowButton
        busy={rest.restoring === part._id}
        aria-label={`Restore ${part.name}`}
        onClick={() => rest.onRestore(part)}
      >
        Restore
      </RowButton>
    )
  }
  return (
    <span className="inline-flex">
      <button
        type="button"
        aria-label={`Move ${part.name}`}
        title="Move it in the order of the shop"
        onClick={() => moves.pickUp(part)}
        className="icon-button"
      >
        <ArrowUpDown aria-hidden="true" className="size-5" />
      </button>
      <button
        type="button"
        aria-label={`Delete ${part.name}`}
        onClick={() => rest.onDelete(part)}
        className="icon-button text-danger hover:bg-danger/10 hover:text-danger"
      >
        <Trash2 aria-hidden="true" className="size-5" />
      </button>
    </span>
  )
}

function PartRow({ part, q, ...rest }: RowProps) {
  const money = useMoney()
  const why = whyFound(q, [part.name, part.kind], { description: part.description, id: part._id })
  return (
    <tr className="grid-cols-[4rem_auto_1fr_auto] [grid-template-areas:'image_name_name_action'_'image_stock_price_price']">
      <td className="[grid-area:image] wide:h-20 wide:w-24">
        <div className="max-w-20 thumb">
          <Picture src={part.image} facts={part.picture} alt="" sizes="80px" />
        </div>
      </td>
      <td className="[grid-area:name]">
        <Link to={`/dashboard/products/${part._id}`} className="row-link">
          {part.name}
        </Link>{' '}
        <StateTag part={part} />
        <p className="text-dim text-sm">{part.kind}</p>
        {why && <p className="text-xs">{why}</p>}
      </td>
      <td data-label="Available quantity" className={`[grid-area:stock] ${figure}`}>
        {part.availableQuantity}
        {part.reserved > 0 && <p className="text-dim text-xs">{part.reserved} held</p>}
        {part.waiting > 0 && (
          <p className="text-dim text-xs">
            {part.waiting} {part.waiting === 1 ? 'waits' : 'wait'} for {part.waitingUnits}
          </p>
        )}
      </td>
      <td data-label="Price" className={`[grid-area:price] ${figure}`}>
        {money(part.price)}
      </td>
      <td className="text-end [grid-area:action]">
        <RowActions part={part} {...rest} />
      </td>
    </tr>
  )
}

function AdminPartsTable({ address, parts, ...rest }: TableProps) {
  const byNumber = (label: string, name: string) => (
    <SortHeader
      address={address}
      label={label}
      ascending={name}
      descending={`-${name}`}
      className="figure"
    />
  )
  return (
    <ListTable
      caption="Products"
      head={
        <>
          <th scope="col">Image</th>
          <SortHeader address={address} label="Name" ascending="name" descending="-name" />
          {byNumber('Available quantity', 'stock')}
          {byNumber('Price', 'price')}
          <th scope="col">
            <span className="sr-only">Delete</span>
          </th>
        </>
      }
    >
      {parts.map((part) => (
        <PartRow key={part._id} part={part} q={address.read('q')} {...rest} />
      ))}
    </ListTable>
  )
}

const selectsOf = (kinds: KindRow[]) => ({
  kind: {
    label: 'Category',
    hasLateChoices: true,
    choices: {
      '': 'All categories',
      ...Object.fromEntries(kinds.map(({ slug, name }) => [slug, name])),
    },
  },
  state: {
    label: 'State',
    choices: {
      '': 'Everything but deleted ones',
      'in-shop': 'In the shop, sold out ones too',
      'on-sale': 'Can be booked',
      low: 'Nearly sold out',
      'sold-out': 'Sold out',
      draft: 'Drafts',
      deleted: 'Deleted',
    },
  },
  sort: {
    label: 'Sorted by',
    choices: {
      '': 'As in the shop',
      name: 'Name, A to Z',
      '-name': 'Name, Z to A',
      price: 'Price: low to high',
      '-price': 'Price: high to low',
      stock: 'Stock: low to high',
      '-stock': 'Stock: high to low',
      newest: 'Newest first',
      oldest: 'Oldest first',
    },
  },
})

/** The filters of the list, for the bulk edit screen. */
const filtersIn = (address: ListAddress) =>
  new URLSearchParams(
    partFilters.flatMap((name) => (address.read(name) ? [[name, address.read(name)]] : [])),
  )

function NoParts() {
  return (
    <EmptyState
      title="No products yet"
      action={<ButtonLink to="/dashboard/addProduct">Add a product</ButtonLink>}
    >
      What you add is listed here, with its stock.
    </EmptyState>
  )
}

/** Names the fact missing from the listed parts, and links to all of them. */
function MissingFact({ address, kinds }: { address: ListAddress; kinds: KindRow[] }) {
  const key = address.read('misses')
  if (!key) return null
  const fields = kinds
    .filter(({ slug }) => !address.read('kind') || slug === address.read('kind'))
    .flatMap((kind) => kind.fields)
  return (
    <p className="col-span-full w-full">
      Only products that do not state{' '}
      <strong>
        {key === 'weightG'
          ? partFields.weightG.label.toLowerCase()
          : (fields.find((field) => field.key === key)?.label ?? key)}
      </strong>
      .{' '}
      <Link {...address.link({ misses: '' })} className="link">
        Show all
      </Link>
    </p>
  )
}

/** Offers to undo the last deletion. */
function DeletedBar({ actions }: { actions: ReturnType<typeof usePartActions> }) {
  const { deleted, restoring, restore, forget } = actions
  if (!deleted) return null
  return (
    <UndoBar
      key={deleted._id + deleted.version}
      busy={restoring === deleted._id}
      onUndo={() => restore(deleted)}
      onExpire={forget}
    >
      <strong className="wrap-anywhere font-semibold">{deleted.name}</strong> is deleted. Later you
      find it under State: Deleted.
    </UndoBar>
  )
}

/** Opens the part whose EAN, manufacturer's number or SKU was scanned. */
function useScannedPart(address: ListAddress) {
  const client = useQueryClient()
  const navigate = useNavigate()
  async function open(code: string): Promise<void> {
    try {
      const part = await findByCode(client, code)
      if (part) await navigate(`/dashboard/products/${part._id}`)
      else address.change({ q: code })
    } catch (error) {
      if (error instanceof Error) void toast('error', error.message)
    }
  }
  useScanner((code) => void open(code))
  return open
}

/** Manage all products: search, sort, edit, delete and restore. */
export default function ManagePartsScreen() {
  const address = useListAddress(partFilters)
  const kinds = useQuery(kindsQuery).data ?? []
  const list = useQuery(adminPartsQuery(filterOf(PartList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const actions = usePartActions()
  const moves = useMoves()
  const open = useScannedPart(address)
  return (
    <>
      <ListFrame
        title="Manage all products"
        headingRef={actions.heading}
        actions={
          <>
            <MoveBars moves={moves} address={address} parts={list.data?.rows ?? []} />
            {!moves.held && !moves.moved && <DeletedBar actions={actions} />}
            <p className="flex flex-wrap gap-3">
              <ButtonLink to="/dashboard/manageProducts/import" variant="quiet">
                Import
              </ButtonLink>
              <ButtonLink to="/dashboard/manageProducts/count" variant="quiet">
                Count
              </ButtonLink>
              <ButtonLink to="/dashboard/manageProducts/pictures" variant="quiet">
                Pictures
              </ButtonLink>
              <ButtonLink to="/dashboard/addProduct">Add a product</ButtonLink>
            </p>
          </>
        }
        tools={
          <ListTools
            address={address}
            search="Search by name, number, category or description"
            selects={selectsOf(kinds)}
            onEnter={(typed) => void open(typed)}
          >
            <MissingFact address={address} kinds={kinds} />
          </ListTools>
        }
        address={address}
        list={list}
        leaving={leaving}
        count={adminPartsCountQuery(filterOf(PartFilter, address))}
        noun={['product', 'products']}
        empty={<NoParts />}
        end={
          <span className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <Link
              to={`/dashboard/manageProducts/bulk?${filtersIn(address)}`}
              className="link text-sm"
            >
              Change all of these
            </Link>
            <ExportButton
              name="products"
              onExport={() => partsCsv(filterOf(PartFilter, address))}
            />
          </span>
        }
      >
        {(parts) => (
          <AdminPartsTable
            address={address}
            parts={parts}
            restoring={actions.restoring}
            onDelete={actions.ask}
            onRestore={actions.restore}
            moves={moves}
          />
        )}
      </ListFrame>
      <ConfirmDialog
        open={actions.confirming !== null}
        title={messages.confirmDelete}
        busy={actions.isDeleting}
        onCancel={() => actions.ask(null)}
        onConfirm={() => actions.confirming && actions.remove(actions.confirming)}
      >
        {actions.confirming &&
          `${actions.confirming.name} goes off sale. Orders of it stay as they are, and you can bring it back.`}
      </ConfirmDialog>
    </>
  )
}
