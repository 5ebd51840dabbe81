import { boundless, type Budget, type Converted, type Converter, type Source } from './converter.ts'
import type { DocumentKind } from '../../contracts/page-content.ts'

/** Converters by kind of file, loaded on first use. A missing kind does not compile. */
const converters: { [K in DocumentKind]: () => Promise<Converter> } = {
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  docx: async () => (await import('./docx/docx.ts')).readDocx,
  xlsx: async () => (await import('./xlsx/xlsx.ts')).readXlsx,
  pptx: async () => (await import('./pptx/pptx.ts')).readPptx,
  odt: async () => (await import('./odf/odf.ts')).readOdt,
  ods: async () => (await import('./odf/odf.ts')).readOds,
  odp: async () => (await import('./odf/odf.ts')).readOdp,
  rtf: async () => (await import('./rtf/rtf.ts')).readRtf,
  epub: async () => (await import('./epub/epub.ts')).readEpub,
  csv: async () => (await import('./text/csv-file.ts')).readCsv,
  feed: async () => (await import('./feed/feed.ts')).readFeed,
  json: async () => (await import('./text/notebook.ts')).readJson,
  ndjson: async () => (await import('./text/notebook.ts')).readNdjson,
  xml: async () => (await import('./text/plain.ts')).readXml,
  code: async () => (await import('./text/plain.ts')).readCode,
  text: async () => (await import('./text/plain.ts')).readText,
  markdown: async () => (await import('./text/plain.ts')).readMarkdown,
  notebook: async () => (await import('./text/notebook.ts')).readNotebook,
  mail: async () => (await import('./mail/mail.ts')).readMail,
  image: async () => (await import('./image/read-image.ts')).readImage,
}

/** Converts a file; adds a warning if the budget did not suffice for all of it. */
export async function convert(kind: DocumentKind, source: Source, budget: Budget = boundless): Promise<Converted> {
  const converted = await (await converters[kind]())(source, budget)
  if (!budget.hasCut()) return converted
  return { ...converted, warning: [cutText, converted.warning].filter(Boolean).join(' ') }
}

const cutText =
  'Only the beginning of the file was read, because all of it takes more time or memory than one file may have.'
