import { escaped, htmlOfText, isoDate } from '../text/loose-html.ts'
import type { Enclosure, FeedItem, Feed } from './feed-model.ts'

type Json = Readonly<Record<string, unknown>>

/** JSON Feed 1.0 and 1.1. Undefined for what is no JSON object. */
export function jsonFeed(json: string): Feed | undefined {
  const feed = objectIn(json)
  if (!feed) return undefined
  const link = text(feed, 'home_page_url')
  return {
    title: escaped(text(feed, 'title') ?? ''),
    description: htmlOfText(text(feed, 'description') ?? ''),
    link,
    base: link,
    language: text(feed, 'language'),
    author: authorsOf(feed),
    favicon: text(feed, 'favicon') ?? text(feed, 'icon'),
    items: list(feed, 'items').map(itemOf),
  }
}

function itemOf(item: Json): FeedItem {
  return {
    title: escaped(text(item, 'title') ?? ''),
    link: text(item, 'url') ?? text(item, 'external_url'),
    date: isoDate(text(item, 'date_published') ?? text(item, 'date_modified')),
    updated: isoDate(text(item, 'date_published') && text(item, 'date_modified')),
    author: authorsOf(item),
    categories: Array.isArray(item['tags']) ? item['tags'].filter((tag) => typeof tag === 'string') : [],
    content: text(item, 'content_html') ?? htmlOfText(text(item, 'content_text') ?? text(item, 'summary') ?? ''),
    enclosures: list(item, 'attachments').flatMap(enclosureOf),
  }
}

function enclosureOf(attachment: Json): Enclosure[] {
  const url = text(attachment, 'url')
  if (url === undefined) return []
  const seconds = Number(attachment['duration_in_seconds'])
  return [
    {
      url,
      type: text(attachment, 'mime_type'),
      title: text(attachment, 'title'),
      bytes: Number(attachment['size_in_bytes']) || undefined,
      duration: seconds > 0 ? `${seconds} s` : undefined,
    },
  ]
}

function authorsOf(from: Json): string | undefined {
  const names = [...list(from, 'authors'), from['author']].filter(isObject).map((author) => text(author, 'name'))
  return [...new Set(names.filter(Boolean))].join(', ') || undefined
}

function text(from: Json, key: string): string | undefined {
  const value = from[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

const list = (from: Json, key: string): Json[] => {
  const value: unknown = from[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

function objectIn(json: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
