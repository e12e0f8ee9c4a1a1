import { Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { isBookable, isLow } from '#contracts/catalogue.ts'
import { dollars } from '#contracts/money.ts'
import type { AdminPart } from '#contracts/parts.ts'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { SortHeader } from '#web/components/sort-header.tsx'
import type { ListAddress } from '#web/lib/use-list-address.ts'
import { whyFound } from '#web/lib/why-found.ts'

type Props = {
  address: ListAddress
  parts: AdminPart[]
  /** Id of the part that is being brought back at this moment. */
  restoring: string | undefined
  onDelete: (part: AdminPart) => void
  onRestore: (part: AdminPart) => void
}

function StateTag({ part }: { part: AdminPart }) {
  if (part.deletedAt) return <span className="tag">deleted</span>
  if (!isBookable(part)) return <span className="tag tag-strong">sold out</span>
  return isLow(part) ? <span className="tag">nearly sold out</span> : null
}

type RowProps = Omit<Props, 'address' | 'parts'> & { part: AdminPart; q: string }

function PartRow({ part, q, ...rest }: RowProps) {
  const why = whyFound(q, [part.name, part.kind], { description: part.description, id: part._id })
  return (
    <tr>
      <td className="parts-image">
        <div className="thumb">
          <Picture src={part.image} facts={part.picture} alt="" sizes="80px" />
        </div>
      </td>
      <td className="parts-name">
        <Link to={`/dashboard/products/${part._id}`} className="row-link">
          {part.name}
        </Link>{' '}
        <StateTag part={part} />
        <p className="text-dim text-sm">{part.kind}</p>
        {why && <p className="text-xs">{why}</p>}
      </td>
      <td data-label="Available quantity" className="parts-stock figure">
        {part.availableQuantity}
        {part.reserved > 0 && <p className="text-dim text-xs">{part.reserved} held</p>}
      </td>
      <td data-label="Price" className="parts-price figure">
        {dollars(part.price)}
      </td>
      <td className="parts-deed">
        {part.deletedAt ? (
          <RowButton
            busy={rest.restoring === part._id}
            aria-label={`Restore ${part.name}`}
            onClick={() => rest.onRestore(part)}
          >
            Restore
          </RowButton>
        ) : (
          <button
            type="button"
            aria-label={`Delete ${part.name}`}
            onClick={() => rest.onDelete(part)}
            className="icon-button delete-button"
          >
            <Trash2 aria-hidden="true" className="size-5" />
          </button>
        )}
      </td>
    </tr>
  )
}

/** Parts as a table; where there is little room each row is a card. */
export function AdminPartsTable({ address, parts, ...rest }: Props) {
  return (
    <table className="list-table parts-list">
      <caption className="sr-only">Products</caption>
      <thead>
        <tr>
          <th scope="col">Image</th>
          <SortHeader address={address} label="Name" ascending="name" descending="-name" />
          <SortHeader
            address={address}
            label="Available quantity"
            ascending="stock"
            descending="-stock"
            className="figure"
          />
          <SortHeader
            address={address}
            label="Price"
            ascending="price"
            descending="-price"
            className="figure"
          />
          <th scope="col">
            <span className="sr-only">Delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <PartRow key={part._id} part={part} q={address.read('q')} {...rest} />
        ))}
      </tbody>
    </table>
  )
}
