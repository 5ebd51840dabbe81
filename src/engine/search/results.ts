import type { SearchHit } from '../../contracts/search.ts'
import type { ImageResult, NewsResult, WebResult } from '../../schema/search.ts'

/** Hits in the words of the contract; positions count from 1. */
export const webResult = ({ url, title, description = '', category, date }: SearchHit, index: number): WebResult => ({
  url,
  title,
  description,
  position: index + 1,
  ...(category !== undefined && { category }),
  ...(date !== undefined && { date }),
})

export const imageResult = (hit: SearchHit, index: number): ImageResult => ({
  title: hit.title,
  imageUrl: hit.imageUrl ?? '',
  ...(hit.imageWidth !== undefined && { imageWidth: Math.round(hit.imageWidth) }),
  ...(hit.imageHeight !== undefined && { imageHeight: Math.round(hit.imageHeight) }),
  url: hit.url,
  position: index + 1,
})

export const newsResult = ({ title, description = '', url, date, imageUrl }: SearchHit, index: number): NewsResult => ({
  title,
  snippet: description,
  url,
  ...(date !== undefined && { date }),
  ...(imageUrl !== undefined && { imageUrl }),
  position: index + 1,
})
