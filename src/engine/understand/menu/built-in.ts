import type { MenuFacts, MenuProfile, PageContent } from '../../../contracts/page-content.ts'
import { menuProfile } from './profile.ts'

export type MenuPage = { content: PageContent; url: string }

/** The menu that a page describes as structured data. Where it describes none, it may still show one. */
export function builtInMenu(page: MenuPage): MenuProfile {
  const { courses } = page.content.menu ?? noFacts
  const isMenu = courses.length > 0
  return menuProfile(courses, { merchant: merchantOf(page), url: page.url, isMenu, confidence: isMenu ? 0.95 : 0.5 })
}

const noFacts: MenuFacts = { courses: [] }
const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

export const priceHints = ({ metadata = {} }: PageContent) => ({ language: textOf(metadata['language']) })

/** Without structured data the page is taken for its site. */
export function merchantOf({ content: { menu, metadata = {} }, url }: MenuPage): MenuProfile['merchant'] {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  const name = textOf(metadata['ogSiteName']) ?? textOf(metadata['og:site_name']) ?? textOf(metadata['title']) ?? host
  return menu?.merchant ?? { name }
}
