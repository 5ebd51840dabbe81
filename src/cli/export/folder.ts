import { z } from 'zod'
import { type CrawlRecord, openRecord } from './crawl-record.ts'
import { createMarkdownFiles } from './markdown-files.ts'

const Line = z.object({ file: z.string(), metadata: z.object({ scrapeId: z.string() }) })

/** Opens the folder in which each page is a markdown file, and a line that names the file. */
export async function openFolder(folder: string, begin: 'new' | 'resumed', now: () => number): Promise<CrawlRecord> {
  const files = createMarkdownFiles(folder, now)
  return openRecord(folder, begin, {
    lineOf: async (document) => ({ file: await files.write(document), ...document }),
    seen: (line) => {
      const { file, metadata } = Line.parse(line)
      files.taken(file, metadata.scrapeId)
    },
  })
}
