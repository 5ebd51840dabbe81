import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

type ListProps = {
  label: string
  count: number
  rowHeight: number
  /** Tells which rows are seen, so that they can be loaded. */
  seen?(first: number, last: number): void
  row(index: number): VNode
}

const spare = 8

/** A list of any length of which only the rows in sight are in the document. */
export function VirtualList({ label, count, rowHeight, seen, row }: ListProps): VNode {
  const box = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ top: 0, height: 600 })
  const look = () => {
    const { scrollTop = 0, clientHeight = 600 } = box.current ?? {}
    setSight({ top: scrollTop, height: clientHeight })
  }
  useEffect(() => {
    const watching = new ResizeObserver(look)
    if (box.current) watching.observe(box.current)
    return () => watching.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(sight.top / rowHeight) - spare)
  const last = Math.min(count - 1, Math.ceil((sight.top + sight.height) / rowHeight) + spare)
  useEffect(() => seen?.(first, last), [first, last, count])
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return html`<div class="list" role="list" aria-label=${label} tabindex="0" ref=${box} onScroll=${look}>
    <div class="list-room" role="presentation" style=${{ height: `${count * rowHeight}px` }}>
      ${rows.map(
        (at) =>
          html`<div
            key=${at}
            class="list-row"
            role="listitem"
            aria-setsize=${count}
            aria-posinset=${at + 1}
            style=${{ top: `${at * rowHeight}px`, height: `${rowHeight}px` }}
          >
            ${row(at)}
          </div>`,
      )}
    </div>
  </div>`
}
