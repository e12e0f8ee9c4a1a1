import { useQuery } from '@tanstack/react-query'
import { PartFilter, PartList } from '#contracts/lists.ts'
import { messages } from '#contracts/messages.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListSelect } from '#web/components/list-filter.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { filterOf } from '#web/lib/list-filter.ts'
import { type ListAddress, useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { AdminPartsTable } from './admin-parts-table.tsx'
import { adminPartsCountQuery, adminPartsQuery, partsCsv } from './admin-queries.ts'
import { UndoBar } from './undo-bar.tsx'
import { usePartActions } from './use-part-actions.ts'

const stateChoices = {
  '': 'Everything on sale',
  'on-sale': 'Can be booked',
  low: 'Nearly sold out',
  'sold-out': 'Sold out',
  deleted: 'Deleted',
}
const orderChoices = {
  '': 'As in the shop',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  price: 'Cheapest first',
  '-price': 'Dearest first',
  stock: 'Fewest first',
  '-stock': 'Most first',
  newest: 'Newest first',
  oldest: 'Oldest first',
}

function Tools({ address }: { address: ListAddress }) {
  return (
    <div className="list-tools">
      <SearchBox
        label="Search by name, kind or description"
        value={address.read('q')}
        onSearch={(q) => address.change({ q }, { replace: true })}
      />
      <ListSelect
        label="State"
        value={address.read('state')}
        choices={stateChoices}
        onChange={(state) => address.change({ state })}
      />
      <ListSelect
        label="Sorted by"
        value={address.read('sort')}
        choices={orderChoices}
        onChange={(sort) => address.change({ sort })}
      />
    </div>
  )
}

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

/** Every part of the shop: found, sorted, opened, deleted and brought back. */
export function ManagePartsScreen() {
  const address = useListAddress(['q', 'state'])
  const list = useQuery(adminPartsQuery(filterOf(PartList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const deeds = usePartActions()
  return (
    <section aria-labelledby="products">
      <div className="list-top">
        <h1 id="products" ref={deeds.heading} tabIndex={-1} className="list-heading">
          Manage all products
        </h1>
        {deeds.deleted && (
          <UndoBar
            key={deeds.deleted._id + deeds.deleted.version}
            part={deeds.deleted}
            busy={deeds.restoring === deeds.deleted._id}
            onUndo={() => deeds.deleted && deeds.restore(deeds.deleted)}
            onExpire={deeds.forget}
          />
        )}
        <p className="list-deeds">
          <ButtonLink to="/dashboard/manageProducts/import" variant="quiet">
            Import CSV
          </ButtonLink>
          <ButtonLink to="/dashboard/addProduct">Add a product</ButtonLink>
        </p>
      </div>
      <Tools address={address} />
      <ListFrame
        address={address}
        list={list}
        leaving={leaving}
        count={adminPartsCountQuery(filterOf(PartFilter, address))}
        noun={['product', 'products']}
        empty={<NoParts />}
        end={
          <ExportButton name="products" onExport={() => partsCsv(filterOf(PartFilter, address))} />
        }
      >
        <AdminPartsTable
          address={address}
          parts={list.data?.rows ?? []}
          restoring={deeds.restoring}
          onDelete={deeds.ask}
          onRestore={deeds.restore}
        />
      </ListFrame>
      <ConfirmDialog
        open={deeds.asked !== null}
        title={messages.confirmDelete}
        busy={deeds.isDeleting}
        onCancel={() => deeds.ask(null)}
        onConfirm={() => deeds.asked && deeds.remove(deeds.asked)}
      >
        {deeds.asked &&
          `${deeds.asked.name} goes off sale. Orders of it stay as they are, and you can bring it back.`}
      </ConfirmDialog>
    </section>
  )
}
