import type { Part, Presentation } from '../kernel/operation.ts'
import type { Document } from '../schema/scrape/document.ts'

/** Fields that hold text of the page, in the order an agent wants them. */
const textFields = ['answer', 'highlights', 'summary', 'markdown', 'html', 'rawHtml'] as const

/** A scraped page for an agent: what it is in a few lines, then each format; the whole stays readable by its id. */
export function presentDocument(document: Document, keeps: 'readable again' | 'not kept'): Presentation {
  const { metadata } = document
  return {
    parts: [
      { kind: 'text', text: head(document) },
      ...textFields.flatMap((field) => page(document, field, document[field])),
      ...dataParts(document),
      ...picture(document.screenshot),
      ...(document.actions?.screenshots ?? []).flatMap(picture),
      ...(keeps === 'readable again' ? [resourceLink(metadata.scrapeId)] : []),
    ],
    ...(keeps === 'readable again' && { readOn: { tool: 'scrape_result', arguments: { jobId: metadata.scrapeId } } }),
  }
}

/** The title comes from the page, so it is shown inside the marked block only, never among our own words. */
function head({ metadata, warning }: Document): string {
  const facts = [
    shortened(metadata.url),
    metadata.statusCode === undefined ? undefined : `status ${metadata.statusCode}`,
    metadata.cacheState === 'hit' ? `cached ${metadata.cachedAt}` : 'read now',
    `scrapeId ${metadata.scrapeId}`,
  ]
  return [
    facts.filter(Boolean).join(' · '),
    ...(metadata.error ? [`Page error: ${metadata.error}`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
  ].join('\n')
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

function dataParts(document: Document): Part[] {
  const { audio, video, links, images, attributes, json, product, branding, changeTracking, actions } = document
  const lists = { audio, video, links: links?.join('\n'), images: images?.join('\n') }
  const objects = { attributes, json, product, branding, changeTracking, actions: actions && withoutFiles(actions) }
  return [
    ...Object.entries(lists).flatMap(([label, text]) => page(document, label, text)),
    ...Object.entries(objects).flatMap(([label, value]) =>
      page(document, label, value === undefined ? undefined : JSON.stringify(value, withoutData)),
    ),
  ]
}

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
