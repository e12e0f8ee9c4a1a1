import { sql } from 'drizzle-orm'
import type { ExpectedGoods } from '#contracts/expected-goods.ts'
import { deliveries, deliveryLines } from '#server/database/schema/deliveries.ts'
import { parts } from '#server/database/schema/parts.ts'

/** What is still to come of a part on the next day on which a supplier delivers it. */
export const expectedGoods = sql<ExpectedGoods>`(
  select json_build_object('units', sum(l.quantity - l.received - l.canceled), 'on', d.expected_on)
  from ${deliveryLines} l join ${deliveries} d on d._id = l.delivery_id
  where l.part_id = ${parts}._id and l.received + l.canceled < l.quantity and d.expected_on >= shop_today()
  group by d.expected_on order by d.expected_on limit 1)`
