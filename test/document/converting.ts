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
  const made = await converter(sourceOf(content, facts))
  const html = 'html' in made ? made.html : ''
  return {
    ...made,
    html,
    markdown: 'markdown' in made ? made.markdown : markdownOf(html, { url: 'https://ex.com/file' }),
  }
}
