export type Enclosure = {
  url: string
  type?: string | undefined
  bytes?: number | undefined
  duration?: string | undefined
  title?: string | undefined
}

export type FeedItem = {
  /** HTML of one line. */
  title: string
  link?: string | undefined
  date?: string | undefined
  updated?: string | undefined
  author?: string | undefined
  categories: readonly string[]
  /** HTML, as the feed has it. */
  content: string
  enclosures: readonly Enclosure[]
}

/** Titles and descriptions are HTML; dates ISO 8601 where they could be read. */
export type Feed = {
  title: string
  description: string
  link?: string | undefined
  /** Relative addresses in it start from here. */
  base?: string | undefined
  language?: string | undefined
  generator?: string | undefined
  author?: string | undefined
  updated?: string | undefined
  favicon?: string | undefined
  items: readonly FeedItem[]
}
