import type { SessionAction } from '../../../../src/contracts/render-port.ts'

export type Hosts = { shop: string; pay: string; bank: string }
export type FramePage = {
  /** The body of the page, at shop. */
  page(hosts: Hosts): string
  acts: readonly SessionAction[]
  /** Expected answer; `ends` if not all acts are performed for it. */
  says: string | RegExp
  ends?: 'failing' | 'either way'
  /** Texts that a snapshot afterwards contains, and texts that it does not. */
  shows?: string | RegExp
  hides?: string
}

/** The address of a document with that body. */
export const doc = (host: string, body: string) => `${host}/frames/any?body=${encodeURIComponent(body)}`
export const frame = (src: string, more = 'width="400" height="200"') => `<iframe ${more} src="${src}"></iframe>`
/** A field and a button that says what was in it. */
export const form = `<label>Town <input id="town"></label><button onclick="out.textContent = 'To ' + town.value">Go</button><p id="out"></p>`
export const fill: readonly SessionAction[] = [
  { type: 'fill', target: 'Town', value: 'Kiel' },
  { type: 'click', target: 'Go' },
]
export const filled = { acts: fill, says: 'To Kiel' }
export const say = (event: string, script: string) => `<button ${event}="${script}">Go</button>`
export const go: readonly SessionAction[] = [{ type: 'click', target: 'Go' }]
