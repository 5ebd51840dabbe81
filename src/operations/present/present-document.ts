import { counted } from '../../util/amounts.ts'
import type { Link } from '../../contracts/fetch.ts'
import { allOffered } from '../../kernel/offer.ts'
import type { Offered, Part, Presentation } from '../../kernel/operation.ts'
import { ownWords, withoutEnding } from './present-lists.ts'
import type { Document } from '../../schema/scrape/document.ts'

/** A scraped page for an agent: a short summary, then each format. The whole page stays readable by its id. */
export function presentDocument(
  document: Document,
  keeps: 'readable again' | 'not kept',
  offered: Offered = allOffered,
): Presentation {
  const { metadata } = document
  return {
    parts: [
      ownWords(head(document, offered)),
      ...contentOf(document),
      ...(keeps === 'readable again' ? [resourceLink(metadata.scrapeId)] : []),
    ],
    ...(keeps === 'readable again' && { readOn: { tool: 'scrape_result', arguments: { id: metadata.scrapeId } } }),
  }
}

/** The content of each format, without the facts about the page. */
export const contentOf = (document: Document): Part[] => Object.values(fieldViews).flatMap((view) => view(document))

/** The title comes from the page, so it is shown only inside the marked block, never among our own words. */
function head({ metadata, warning, answer }: Document, offered: Offered): string {
  const facts = [
    shortened(metadata.url),
    metadata.statusCode === undefined ? undefined : `status ${metadata.statusCode}`,
    metadata.cacheState === 'hit' ? `cached ${metadata.cachedAt}` : 'read now',
    `scrapeId ${metadata.scrapeId}`,
    formIn(metadata, offered),
  ]
  return [
    facts.filter(Boolean).join(' · '),
    ...(metadata.error ? [`Page error: ${metadata.error}`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(answer !== undefined && metadata.llmMode === 'builtin' ? [readYourself] : []),
  ].join('\n')
}

/** Hint for an answer of the built-in method: the agent itself can answer better from the page. */
const readYourself =
  'You can answer the question from the page itself: scrape it again with the format markdown, and read it.'

/** Mentions a form, which markdown omits, and the tool that can fill it in. */
function formIn({ formFields }: Document['metadata'], offered: Offered): string | undefined {
  if (!formFields) return undefined
  const tool = ['browser_create', 'interact'].find((name) => offered.has(name))
  return `form with ${counted(formFields, 'field')}${tool === undefined ? '' : `: ${tool}`}`
}

/** A redirect target is chosen by the site and shown outside the marked block, so its length is limited. */
const shortened = (url: string) => (url.length > 500 ? `${url.slice(0, 500)}…` : url)

function page({ metadata }: Document, label: string, text: string | undefined): Part[] {
  if (text === undefined) return []
  const titled =
    label === 'markdown' && metadata.title && !isTitled(text, metadata.title)
      ? `Title: ${metadata.title}\n\n${text}`
      : text
  return [{ kind: 'page', text: titled, origin: metadata.url, label }]
}

/** True if the text has the title; in a heading, the name of the site may be missing. */
const isTitled = (text: string, title: string) => text.includes(title) || text.includes(`# ${withoutEnding(title)}`)

type FieldView = (document: Document) => Part[]
type FieldsOf<T> = { [F in keyof Document]-?: NonNullable<Document[F]> extends T ? F : never }[keyof Document]

const inHead: FieldView = () => []
const text =
  (field: FieldsOf<string>): FieldView =>
  (document) =>
    page(document, field, document[field])
const lines =
  (field: FieldsOf<string[]>): FieldView =>
  (document) =>
    page(document, field, document[field]?.join('\n'))
const data =
  (field: Exclude<keyof Document, 'actions'>): FieldView =>
  (document) =>
    page(document, field, asJson(document[field]))

/** View of each field, in the order most useful to agents. A missing field does not compile. */
const fieldViews: Record<keyof Document, FieldView> = {
  metadata: inHead,
  warning: inHead,
  answer: text('answer'),
  highlights: text('highlights'),
  summary: text('summary'),
  markdown: text('markdown'),
  html: text('html'),
  rawHtml: text('rawHtml'),
  audio: text('audio'),
  video: text('video'),
  links: lines('links'),
  images: lines('images'),
  attributes: data('attributes'),
  json: data('json'),
  product: data('product'),
  menu: data('menu'),
  branding: data('branding'),
  changeTracking: data('changeTracking'),
  pages: data('pages'),
  actions: (document) => page(document, 'actions', asJson(document.actions && withoutFiles(document.actions))),
  // Last, because the text of the actions refers to their pictures as "below".
  screenshot: ({ screenshot, actions }) => [screenshot, ...(actions?.screenshots ?? [])].flatMap(picture),
}

const asJson = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value, withoutData))

/** An embedded image is useless as text and may be longer than everything else. */
const withoutData = (_: string, value: unknown) =>
  typeof value === 'string' && value.startsWith('data:') && value.length > 500 ? `${value.slice(0, 40)}…` : value

/** Replaces pictures, which are shown below, and PDFs, which models cannot read, by a short text. */
function withoutFiles({ screenshots, pdfs, ...read }: NonNullable<Document['actions']>): object {
  return {
    ...read,
    screenshots: screenshots.map((_, index) => `picture ${index + 1} below`),
    pdfs: pdfs.map((pdf) => `a PDF of ${Math.floor(pdf.length * 0.75)} bytes; it is in the answer over REST`),
  }
}

function picture(screenshot: string | undefined): Part[] {
  const [, mimeType, base64] = /^data:([^;,]+);base64,(.+)$/.exec(screenshot ?? '') ?? []
  if (mimeType && base64) return [{ kind: 'image', base64, mimeType }]
  return screenshot ? [{ kind: 'link', uri: screenshot, name: 'screenshot', mimeType: 'image/png' }] : []
}

const resourceLink = (scrapeId: string): Part => ({
  kind: 'link',
  uri: `gossamer://scrape/${scrapeId}`,
  name: 'the whole answer',
  mimeType: 'text/markdown',
})

/** Replaces pictures and PDFs of a page by links that expire at `until`, ms since the epoch. */
export async function documentWithLinks(document: Document, link: Link, until?: number): Promise<Document> {
  const { screenshot, actions } = document
  const all = (files: readonly string[]) => Promise.all(files.map((file) => link(file, until)))
  return {
    ...document,
    ...(screenshot !== undefined && { screenshot: await link(screenshot, until) }),
    ...(actions && {
      actions: { ...actions, screenshots: await all(actions.screenshots), pdfs: await all(actions.pdfs) },
    }),
  }
}
