import type { PiiEntity } from '../../../schema/scrape/scrape-options.ts'

/** Range of a text that identifies a person. */
export type Span = { start: number; end: number; kind: PiiEntity }
export type FindSpans = (text: string) => Span[]

/**
 * Matches the words that replace personal data while a page is read. Unlike `<EMAIL>`, they pass markup, URLs, models and
 * comparisons unchanged.
 */
export const placeholder = /redactedpii(person|email|phone|location|financial|secret)(?:x(\d+))?z/gi

/** True for a URL of which a part was redacted, so it cannot be fetched. */
export const isRedactedUrl = (url: string): boolean => url.search(placeholder) >= 0
