import { focusedIn } from '../dom/tree.ts'
import { clean } from '../dom/text.ts'

export type PageProgress = {
  /** Characters of visible text, digits aside. */
  text: number
  isLoading: boolean
  /** Something in view says that more is to come. */
  isBusy: boolean
  hasScripts: boolean
}

const busySelector =
  '[aria-busy=true],[role=progressbar],.skeleton,[class*=skeleton i],[class*=spinner i],[class*=shimmer i],.loading,.loader'

/** How far the page has loaded. */
export function readProgress(): PageProgress {
  // What is visible takes a layout to know, which is too slow for a page of a million elements.
  const isLarge = document.getElementsByTagName('*').length > 20_000
  const text = (isLarge ? document.body?.textContent : document.body?.innerText) ?? ''
  const saysBusy = !isLarge && /^\s*(?:loading|please wait)[^\p{L}\n]*$/imu.test(text)
  return {
    text: text.replace(/\d+/g, '').length,
    isLoading: document.readyState === 'loading',
    isBusy: saysBusy || (!isLarge && hasBusyElement()),
    hasScripts: document.scripts.length > 0,
  }
}

function hasBusyElement(): boolean {
  return Array.from(document.querySelectorAll(busySelector)).some((element) => element.getClientRects().length > 0)
}

/** Where the page is and how it is titled. */
export function readLocation(): { url: string; title: string } {
  return { url: location.href, title: clean(document.title).slice(0, 120) }
}

/** Resolves when the document and all it shows have loaded, or after so many ms. */
export function waitForLoad(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') return resolve()
    addEventListener('load', () => resolve(), { once: true })
    setTimeout(resolve, ms)
  })
}

/** Whether a frame has anything to read; a video player and the browser's own pages have nothing. */
export function isReadableFrame(): boolean {
  const isOfBrowser = !/^(?:https?|about|data|blob):/.test(location.protocol)
  const area = innerWidth * innerHeight
  const isPlayer = (video: Element) => video.clientWidth * video.clientHeight > area / 2
  return !isOfBrowser && !Array.from(document.querySelectorAll('video')).some((video) => isPlayer(video))
}

/** Whether typed text goes anywhere: something has the focus, or the document itself can be edited. */
export function hasFocus(): boolean {
  const focused = focusedIn(document)
  const { body, documentElement, designMode } = focused?.ownerDocument ?? document
  const isPage = focused === null || focused === body || focused === documentElement
  return !isPage || designMode === 'on' || body.isContentEditable
}
