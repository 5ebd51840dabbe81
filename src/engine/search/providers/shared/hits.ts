import type { z } from 'zod'
import { ProviderError, type SearchHit } from '../../../../contracts/search-port.ts'
import { isoDate } from './dates.ts'
import { collapseWhitespace, truncate } from './plain-text.ts'

/** A result as a provider returns it; texts without markup. */
export type RawHit = {
  url: string
  title: string
  description?: string | null | undefined
  date?: string | null | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

/** Fails with `unreadable answer` unless the data has the shape. */
export function parseResponse<T>(data: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(data)
  if (parsed.success) return parsed.data
  throw new ProviderError('unreadable answer', 'Its answer does not have the documented shape.', {
    cause: parsed.error,
  })
}

/** Skips malformed items; fails with `unreadable answer` when all of them are. */
export function parseHits<T>(
  items: readonly unknown[],
  shape: z.ZodType<T>,
  toRawHit: (item: T) => RawHit | undefined,
): SearchHit[] {
  const hits = items.flatMap((item) => {
    const parsed = shape.safeParse(item)
    const raw = parsed.success ? toRawHit(parsed.data) : undefined
    return raw ? toHit(raw) : []
  })
  if (items.length > 0 && hits.length === 0)
    throw new ProviderError('unreadable answer', 'None of its results has the documented shape.')
  return hits
}

/** One hit, or none unless the URL is http or https. */
export function toHit(raw: RawHit): SearchHit[] {
  const url = webUrl(raw.url)
  if (url === undefined) return []
  const description = truncate(collapseWhitespace(raw.description ?? ''))
  const date = isoDate(raw.date)
  const imageUrl = webUrl(raw.imageUrl ?? '')
  const [imageWidth, imageHeight] = [pixels(raw.imageWidth), pixels(raw.imageHeight)]
  return [
    {
      url,
      title: collapseWhitespace(raw.title) || url,
      ...(description !== '' && { description }),
      ...(date !== undefined && { date }),
      ...(imageUrl !== undefined && { imageUrl }),
      ...(imageWidth !== undefined && { imageWidth }),
      ...(imageHeight !== undefined && { imageHeight }),
    },
  ]
}

function webUrl(written: string): string | undefined {
  const url = URL.parse(written.startsWith('//') ? `https:${written}` : written)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const pixels = (size: number | null | undefined) =>
  size !== null && size !== undefined && Number.isFinite(size) && size > 0 ? Math.round(size) : undefined
