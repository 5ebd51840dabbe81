import { expect } from 'vitest'
import type { Converted, Converter, Source } from '../../src/engine/document/converter.ts'
import { markdownOf } from '../html/read.ts'

/** A file as a site sends it; a text is sent as UTF-8. */
function sourceOf(content: string | Uint8Array, facts: Partial<Source> = {}): Source {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { bytes, url: 'https://ex.com/file', contentType: undefined, pdf: { mode: 'auto' }, ...facts }
}

export async function converted(
  converter: Converter,
  content: string | Uint8Array,
  facts: Partial<Source> = {},
): Promise<Omit<Converted, 'markdown' | 'html'> & { markdown: string; html: string }> {
  const result = await converter(sourceOf(content, facts))
  const html = 'html' in result ? result.html : ''
  const markdown = 'markdown' in result ? result.markdown : markdownOf(html, { url: 'https://ex.com/file' })
  return { ...result, html, markdown }
}

/** Row of a table of files that a converter must refuse. */
export type Refused = [what: string, content: string | Uint8Array, message: RegExp]

export const expectRefusal =
  (converter: Converter) =>
  async (_: string, content: string | Uint8Array, message: RegExp): Promise<void> =>
    expect(converted(converter, content)).rejects.toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
      message: expect.stringMatching(message),
    })
