import type { PiiEntity } from '../../../schema/scrape/scrape-options.ts'

/** A place of a text that identifies a person. */
export type Span = { start: number; end: number; kind: PiiEntity }
export type FindSpans = (text: string) => Span[]

/**
 * Word that stands for what was replaced while a page is read: it passes markup, addresses, models and comparisons
 * unchanged, which `<EMAIL>` would not.
 */
export const placeholder = /redactedpii(person|email|phone|location|financial|secret)(?:x(\d+))?z/gi

/** True for an address that lost a part of itself, so that nothing can be fetched from it. */
export const isRedactedUrl = (url: string): boolean => url.search(placeholder) >= 0
