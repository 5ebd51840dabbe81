import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageRow } from '../../../page-rows.ts'
import { call } from '../../api.ts'
import { Empty, Fault } from '../../parts/parts.ts'
import { VirtualList } from '../../parts/virtual-list.ts'
import { count as counted, shortUrl } from '../../parts/words.ts'

const chunk = 100
/** What is out of sight is asked for again when it comes back, so that a long crawl takes no more room than a short one. */
const mostChunks = 8

/** The pages of a crawl, read from the server as they come into sight. */
export function JobPages({ id, count }: { id: string; count: number }): VNode {
  const loaded = useRef(new Map<number, readonly PageRow[]>())
  const asked = useRef(new Set<number>())
  const inSight = useRef(0)
  const [, setTurn] = useState(0)
  const [fault, setFault] = useState<unknown>()
  useEffect(() => loaded.current.clear(), [id])

  async function load(at: number): Promise<void> {
    const known = loaded.current.get(at)?.length ?? 0
    if (asked.current.has(at) || known >= Math.min(chunk, count - at * chunk)) return
    asked.current.add(at)
    try {
      const { rows } = await call<{ rows: PageRow[] }>('GET', `/dashboard/pages/${id}?skip=${at * chunk}`)
      loaded.current.set(at, rows)
      // Not from this one: what was asked for before the last scroll may come after it.
      forgetFarthest(loaded.current, inSight.current)
      setFault(undefined)
    } catch (failure) {
      setFault(failure)
    }
    asked.current.delete(at)
    setTurn((turn) => turn + 1)
  }
  const seen = (first: number, last: number) => {
    inSight.current = Math.floor(first / chunk)
    for (let at = Math.floor(first / chunk); at <= Math.floor(last / chunk); at++) void load(at)
  }
  if (count === 0) return html`<${Empty} title="No page yet">Pages appear here as they are read.<//>`
  const rowOf = (index: number) => loaded.current.get(Math.floor(index / chunk))?.[index % chunk]
  return html`<${Fault} of=${fault} />
    <${VirtualList} label="Pages" count=${count} rowHeight=${52} seen=${seen} row=${(at: number) => line(rowOf(at))} />`
}

function forgetFarthest(loaded: Map<number, unknown>, from: number): void {
  if (loaded.size <= mostChunks) return
  const [farthest] = [...loaded.keys()].toSorted((one, other) => Math.abs(other - from) - Math.abs(one - from))
  if (farthest !== undefined) loaded.delete(farthest)
}

function line(row: PageRow | undefined): VNode {
  if (!row) return html`<span class="page-line faint">…</span>`
  const { url, title, status, scrapeId, characters } = row
  return html`<a class="page-line" href=${`#/pages/${scrapeId}`}>
    <span class=${`code ${status >= 400 ? 'bad-text' : 'faint'}`}>${status || '–'}</span>
    <span class="page-name"><span>${title || shortUrl(url)}</span><span class="faint">${shortUrl(url)}</span></span>
    <span class="size faint">${counted(characters)} characters</span>
  </a>`
}
