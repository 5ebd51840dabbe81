import type { PageResponse, ProxyKind } from '../../../contracts/fetch.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { Visit } from '../../../contracts/scrape-step.ts'
import type { BotChallenge } from '../../net/http/bot-challenge.ts'

/** A page from its site, and what was made of it. */
export type LoadedPage = {
  by: Visit['by']
  response: PageResponse
  content: PageContent
  proxyUsed: ProxyKind
  /** The bot challenge that came in place of the page. */
  challenge: BotChallenge | undefined
}

export function withWarning(loaded: LoadedPage, warning: string | undefined): LoadedPage {
  if (warning === undefined) return loaded
  return {
    ...loaded,
    content: { ...loaded.content, warning: [loaded.content.warning, warning].filter(Boolean).join(' ') },
  }
}

/** For a page that a browser has read: what is unfilled now stays so. */
export function withoutUnfilled(loaded: LoadedPage): LoadedPage {
  const { unfilled: _, ...content } = loaded.content
  return { ...loaded, content }
}

/** How much content a visit brought, in characters. */
export const sizeOf = ({ content: { markdown, html, anchors = [], media = {}, product = null } }: LoadedPage): number =>
  (markdown ?? html ?? '').length + JSON.stringify([anchors, media, product]).length
