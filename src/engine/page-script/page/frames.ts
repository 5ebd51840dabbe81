/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** In our own world, where elements stay what they are while the page changes. */
export type ClosedFrames = { gossamerFrames?: Element[] }

/** Runs in the page: chooses the frames of other sites that can be seen, and tells how many there are. */
export function findClosedFrames(): number {
  const most = 10
  const found: Element[] = []
  look(document)
  ;(globalThis as ClosedFrames).gossamerFrames = found.slice(0, most)
  return Math.min(found.length, most)

  function look(root: ParentNode): void {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot)
      if (!/^i?frame$/.test(element.localName)) continue
      const { contentDocument } = element as HTMLIFrameElement
      if (contentDocument) look(contentDocument)
      else if (isShown(element)) found.push(element)
    }
  }

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  function isShown(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect()
    return width > 100 && height > 50 && element.checkVisibility({ visibilityProperty: true })
  }
}

/** Runs in the page: one of them. */
export function frameAt(nth: number): unknown {
  return (globalThis as ClosedFrames).gossamerFrames?.[nth]
}

/** Runs in a frame: resolves when it has come, or after so many ms. */
export function frameLoaded(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') return resolve()
    addEventListener('load', () => resolve(), { once: true })
    setTimeout(resolve, ms)
  })
}

/** Runs in a frame: whether it has anything to read. A player and a page of the browser's own have not. */
export function frameReads(): boolean {
  const isOwn = !/^(?:https?|about|data|blob):/.test(location.protocol)
  const room = innerWidth * innerHeight
  const fills = (video: Element) => video.clientWidth * video.clientHeight > room / 2
  return !isOwn && !Array.from(document.querySelectorAll('video')).some((video) => fills(video))
}
