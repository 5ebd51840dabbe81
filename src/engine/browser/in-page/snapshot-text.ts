/// <reference lib="dom" />
import type { PageTools } from './snapshot-tools.ts'

/** Runs in the page: texts and addresses as short as they may be. */
export function addTexts(tools: PageTools): void {
  const mostText = 1200
  const around = 160

  tools.clean = (text) => (text ?? '').replace(/[\s\u00a0\u200b-\u200d\ufeff]+/g, ' ').trim()

  tools.cutText = (text) => {
    if (text.length <= mostText) return text
    const at = tools.sought === '' ? -1 : text.toLowerCase().indexOf(tools.sought)
    if (at < 0) return `${text.slice(0, mostText)}…`
    return `…${text.slice(Math.max(0, at - around), at + tools.sought.length + around)}…`
  }

  tools.shortUrl = (href) => {
    const url = URL.parse(href)
    if (!url || !/^https?:$/.test(url.protocol)) return /^(?:mailto|tel):/.test(href) ? href.slice(0, 60) : ''
    const isHere =
      url.origin === location.origin && url.pathname === location.pathname && url.search === location.search
    const path = isHere ? url.hash : url.pathname + url.search + url.hash
    const whole = url.origin === location.origin ? path : url.host + path
    return whole.length <= 60 ? whole : `${whole.slice(0, 58)}…`
  }
}
