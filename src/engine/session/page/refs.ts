import type { PageNode } from '../../page-script/snapshot/page-outline.ts'
import { partsOf } from './text/lines.ts'
import type { LiveTab } from './live-tab.ts'

/** So many refs are remembered, the latest. */
const mostRefs = 5000

/** Remembers the role and name of each ref, to describe a stale one. */
export function rememberRefs(tab: Pick<LiveTab, 'memory'>, nodes: readonly PageNode[]): void {
  const { refNames: meant } = tab.memory
  for (const node of nodes) {
    if (node.ref !== undefined) {
      meant.delete(node.ref)
      meant.set(node.ref, likenessOf(node))
    }
    rememberRefs(tab, partsOf(node))
  }
  for (const ref of meant.keys()) {
    if (meant.size <= mostRefs) break
    meant.delete(ref)
  }
}

const likenessOf = ({ role, name }: PageNode) => (name ? `${role} "${name}"` : role)

/** Describes a ref whose element is gone. */
export function staleRefText({ memory: { refNames: meant } }: Pick<LiveTab, 'memory'>, ref: string): string {
  const was = meant.get(Number(ref.slice(1)))
  return was
    ? `${ref} was ${was}, which is no longer on the page; take a new snapshot.`
    : `There is no element ${ref} on this page; take a snapshot for the refs it has.`
}
