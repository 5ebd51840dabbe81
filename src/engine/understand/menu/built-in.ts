import type { MenuFacts, MenuProfile } from '../../../contracts/profiles/menu.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import { menuProfile } from './profile.ts'
import { readCourses } from './read-courses.ts'
import { judgeCourses } from './signs.ts'

export type MenuPage = { content: PageContent; url: string }

/** The menu that a page describes as structured data, else the one in its priced lists. */
export function builtInMenu(page: MenuPage): MenuProfile {
  const { menu = noFacts, markdown = '', metadata = {} } = page.content
  const frame = { merchant: merchantOf(page), url: page.url }
  if (menu.courses.length > 0) return menuProfile(menu.courses, { ...frame, isMenu: true, confidence: 0.95 })
  const courses = readCourses(markdown, priceHints(page.content))
  const [, heading = ''] = /^#\s+(.+)$/m.exec(markdown) ?? []
  const verdict = judgeCourses(courses, {
    isRestaurant: menu.merchant !== undefined,
    titles: [textOf(metadata['title']) ?? '', heading, lastPart(page.url)],
  })
  return menuProfile(verdict.isMenu ? courses : [], { ...frame, ...verdict })
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

function lastPart(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  return (
    path
      .split('/')
      .findLast((part) => part !== '')
      ?.replace(/\.\w+$/, '')
      .replaceAll(/[-_]/g, ' ') ?? ''
  )
}
