import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { counted } from '#contracts/counted.ts'
import type { Delivery } from '#contracts/deliveries.ts'
import { DeliveryFilter, DeliveryList } from '#contracts/lists.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ListFrame, ListTable, SortHeader } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { filterOf, type ListAddress, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { shortMoment, utcDay } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { deliveriesCountQuery, deliveriesQuery } from './queries.ts'

export const meta = titled('Goods received')

const selects = {
  state: { label: 'State', choices: { '': 'All', expected: 'Expected', complete: 'Complete' } },
  sort: {
    label: 'Sorted by',
    choices: {
      '': 'Newest first',
      oldest: 'Oldest first',
      expected: 'Expected first',
      '-expected': 'Expected last',
    },
  },
}

/** The progress of a delivery, as text. */
function stateOf({ quantity, received, canceled }: Delivery): string {
  const left = quantity - received - canceled
  if (left > 0) return received > 0 ? `${left} of ${quantity} still to come` : 'expected'
  if (canceled === 0) return 'received'
  return received > 0 ? `received, ${canceled} canceled` : 'canceled'
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { _id, supplier, reference, expectedOn, createdAt, parts, quantity, received } = delivery
  return (
    <tr className="grid-cols-[1fr_auto_auto] [grid-template-areas:'who_who_who'_'state_state_state'_'day_units_received'_'when_when_when'] wide:*:h-14">
      <td className="[grid-area:who]">
        <Link to={`/dashboard/deliveries/${_id}`} className="link font-semibold break-words">
          {supplier}
        </Link>
        <p className="text-dim text-sm break-words">
          {reference && `${reference} · `}
          {counted(parts, 'part')}
        </p>
      </td>
      <td className="[grid-area:state]">{stateOf(delivery)}</td>
      <td data-label="Expected" className="[grid-area:day]">
        {expectedOn ? <time dateTime={expectedOn}>{utcDay(expectedOn)}</time> : 'no date'}
      </td>
      <td data-label="Units" className="figure [grid-area:units]">
        {quantity}
      </td>
      <td data-label="Received" className="figure [grid-area:received]">
        {received}
      </td>
      <td className="text-dim text-sm [grid-area:when] wide:w-44">
        <time dateTime={createdAt}>{shortMoment(createdAt)}</time>
      </td>
    </tr>
  )
}

function DeliveriesTable({ address, all }: { address: ListAddress; all: Delivery[] }) {
  return (
    <ListTable
      caption="Deliveries"
      head={
        <>
          <th scope="col">Supplier</th>
          <th scope="col">State</th>
          <SortHeader
            address={address}
            label="Expected"
            ascending="expected"
            descending="-expected"
          />
          <th scope="col" className="figure">
            Units
          </th>
          <th scope="col" className="figure">
            Received
          </th>
          <SortHeader
            address={address}
            label="Added"
            ascending="oldest"
            descending=""
            first="descending"
          />
        </>
      }
    >
      {all.map((delivery) => (
        <DeliveryRow key={delivery._id} delivery={delivery} />
      ))}
    </ListTable>
  )
}

/** The deliveries expected and received from suppliers. */
export default function DeliveriesScreen() {
  const address = useListAddress(['q', 'state'])
  const list = useQuery(deliveriesQuery(filterOf(DeliveryList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  return (
    <ListFrame
      title="Goods received"
      actions={<ButtonLink to="/dashboard/deliveries/new">Add a delivery</ButtonLink>}
      tools={<ListTools address={address} search="Supplier or reference" selects={selects} />}
      address={address}
      list={list}
      leaving={leaving}
      count={deliveriesCountQuery(filterOf(DeliveryFilter, address))}
      noun={['delivery', 'deliveries']}
      empty={
        <EmptyState title="No deliveries yet">
          Record what a supplier is going to deliver. When it arrives, mark all or part of it as
          received, and your stock goes up.
        </EmptyState>
      }
    >
      {(all) => <DeliveriesTable address={address} all={all} />}
    </ListFrame>
  )
}
