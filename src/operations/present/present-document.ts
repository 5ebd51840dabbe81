import type { Link } from '../../contracts/fetch.ts'
import { allOffered } from '../../kernel/offer.ts'
import type { Offered, Part, Presentation } from '../../kernel/operation.ts'
import { ownWords } from './present-lists.ts'
import type { Document } from '../../schema/scrape/document.ts'

/** A scraped page for an agent: what it is in a few lines, then each format; the whole stays readable by its id. */
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

/** Each format, without the facts about the page. */
export const contentOf = (document: Document): Part[] => Object.values(fieldViews).flatMap((view) => view(document))

/** The title comes from the page, so it is shown inside the marked block only, never among our own words. */
function head({ metadata, warning }: Document, offered: Offered): string {
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
  ].join('\n')
}

/** Markdown shows no fields, so it is told that there are some, and the tool that fills them in. */
function formIn({ formFields }: Document['metadata'], offered: Offered): string | undefined {
  if (!formFields) return undefined
  const tool = ['browser_create', 'interact'].find((name) => offered.has(name))
  return `form with ${formFields} ${formFields === 1 ? 'field' : 'fields'}${tool === undefined ? '' : `: ${tool}`}`
}

/** A site chooses where it redirects to, and these words stand outside the marked block. */
const shortened = (url: string) => (url.length > 500 ? `${url.slice(0, 500)}…` : url)

function page({ metadata }: Document, label: string, text: string | undefined): Part[] {
  if (text === undefined) return []
  const titled =
    label === 'markdown' && metadata.title && !text.includes(metadata.title)
      ? `Title: ${metadata.title}\n\n${text}`
      : text
  return [{ kind: 'page', text: titled, origin: metadata.url, label }]
}

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

/** How each field is shown, in the order an agent wants them. A field that is missing here does not compile. */
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
  actions: (document) => page(document, 'actions', asJson(document.actions && withoutFiles(document.actions))),
  // After the text of the actions, which counts their screenshots.
  screenshot: ({ screenshot, actions }) => [screenshot, ...(actions?.screenshots ?? [])].flatMap(picture),
}

const asJson = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value, withoutData))

/** An embedded picture says nothing as text, and may be longer than all the rest. */
const withoutData = (_: string, value: unknown) =>
  typeof value === 'string' && value.startsWith('data:') && value.length > 500 ? `${value.slice(0, 40)}…` : value

/** Pictures are shown as such, and a PDF is nothing that a model reads: it is told how large it is. */
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

/** A scraped page whose pictures and PDFs are links, kept until that moment, ms since the epoch. */
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

/** The pages of a job, whose files are kept no longer than the job. */
export async function jobWithLinks<T extends { data: Document[]; expiresAt: string }>(job: T, link: Link): Promise<T> {
  const until = Date.parse(job.expiresAt)
  return { ...job, data: await Promise.all(job.data.map((document) => documentWithLinks(document, link, until))) }
}
