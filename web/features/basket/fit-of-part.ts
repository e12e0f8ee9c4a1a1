import { type BasketLine, basketText, maxLines } from '#contracts/basket.ts'
import { fitPartsOf, judgeCandidates } from '#contracts/fit.ts'
import type { Fit } from '#contracts/part-lists.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'

/** The deciding verdict on a part as the next one of these lines; undefined when no rule is. */
export async function fitOfPart(
  number: number,
  lines: readonly BasketLine[],
): Promise<Fit | undefined> {
  const { api } = await loadApi()
  const others = lines.filter((line) => line.number !== number)
  // the part comes first: a full basket has no place after the others
  const parts = basketText([{ number, quantity: 1 }, ...others].slice(0, maxLines))
  const basket = await (await api.basket.$get({ query: { parts } })).json()
  const partOf = (wanted: number) => basket.parts.find((each) => each.number === wanted)
  const part = partOf(number)
  const [candidate] = fitPartsOf([{ part, quantity: part?.minimumOrderQuantity ?? 1 }])
  if (!candidate) return undefined
  const build = fitPartsOf(others.map((line) => ({ ...line, part: partOf(line.number) })))
  const verdict = judgeCandidates(build, candidate.kind)(candidate)
  return verdict && { level: verdict.level, text: verdict.say() }
}
