import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { proseOf } from './blocks.ts'

/** Anchors that GitHub generates from the headings of a page. */
export function anchorsIn(page: string): Set<string> {
  const seen = new Map<string, number>()
  const headings = [...proseOf(page).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => slugOf(heading))
  return new Set(
    headings.map((slug) => {
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    }),
  )
}

function slugOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}

/** Links to missing files or headings. */
export function linkFaults(root: string, path: string): string[] {
  const page = readFileSync(join(root, path), 'utf8')
  const links = [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
  return links.flatMap(({ 1: target = '', index }) => {
    const [file = '', anchor] = target.split('#')
    const place = file === '' ? join(root, path) : join(root, dirname(path), file)
    const at = `${path}:${page.slice(0, index).split('\n').length}`
    if (!existsSync(place)) return [`${at}: ${target} leads nowhere`]
    if (anchor === undefined || statSync(place).isDirectory()) return []
    return anchorsIn(readFileSync(place, 'utf8')).has(anchor) ? [] : [`${at}: ${target} has no such heading`]
  })
}
