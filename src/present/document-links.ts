import type { Link } from '../kernel/linked-file.ts'
import type { Document } from '../schema/scrape/document.ts'

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
