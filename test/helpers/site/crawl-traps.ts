import { randomUUID } from 'node:crypto'
import { html, inMain, type HtmlAnswer } from './crawl-model.ts'

/** Returns a page of an endless folder, with more such links. */
export function trapPage(url: URL): HtmlAnswer {
  if (url.pathname.startsWith('/calendar/')) return html(inMain(...months(url)))
  if (url.pathname.startsWith('/session/'))
    return html(inMain(`/session/?sid=${randomUUID()}`, `/session/list?sid=${randomUUID()}`))
  return html(inMain(`${url.pathname.replace(/\/$/, '')}/a`, '/deep/a'))
}

/** Returns the previous and next months, as a calendar links them. */
function months(url: URL): string[] {
  const [, , year = '2026', month = '1'] = url.pathname.split('/')
  const at = Number(year) * 12 + Number(month) - 1
  return [at - 1, at + 1].map(
    (each) => `/calendar/${Math.floor(each / 12)}/${String((each % 12) + 1).padStart(2, '0')}`,
  )
}
