import type { z } from 'zod'
import { SearchError, type SearchHit } from '../../../contracts/search.ts'
import { isoDate } from './dates.ts'
import { plain, shortened } from './text.ts'

/** A result as a provider gives it; texts without markup. */
export type Draft = {
  url: string
  title: string
  description?: string | null | undefined
  date?: string | null | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

/** Fails with an unreadable answer unless the data has the shape. */
export function shaped<T>(data: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(data)
  if (parsed.success) return parsed.data
  throw new SearchError('unreadable answer', 'Its answer does not have the documented shape.', { cause: parsed.error })
}

/** Items that cannot be read are left out, but when none can be read the answer is no answer. */
export function hitsFrom<T>(
  items: readonly unknown[],
  shape: z.ZodType<T>,
  draftOf: (item: T) => Draft | undefined,
): SearchHit[] {
  const hits = items.flatMap((item) => {
    const parsed = shape.safeParse(item)
    const draft = parsed.success ? draftOf(parsed.data) : undefined
    return draft ? hitOf(draft) : []
  })
  if (items.length > 0 && hits.length === 0)
    throw new SearchError('unreadable answer', 'None of its results has the documented shape.')
  return hits
}

/** One hit, or none where the URL is no http or https URL. */
export function hitOf(draft: Draft): SearchHit[] {
  const url = webUrl(draft.url)
  if (url === undefined) return []
  const description = shortened(plain(draft.description ?? ''))
  const date = isoDate(draft.date)
  const imageUrl = webUrl(draft.imageUrl ?? '')
  const [imageWidth, imageHeight] = [pixels(draft.imageWidth), pixels(draft.imageHeight)]
  return [
    {
      url,
      title: plain(draft.title) || url,
      ...(description !== '' && { description }),
      ...(date !== undefined && { date }),
      ...(imageUrl !== undefined && { imageUrl }),
      ...(imageWidth !== undefined && { imageWidth }),
      ...(imageHeight !== undefined && { imageHeight }),
    },
  ]
}

function webUrl(text: string): string | undefined {
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const pixels = (size: number | null | undefined) =>
  size !== null && size !== undefined && Number.isFinite(size) && size > 0 ? Math.round(size) : undefined
