import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Paths of the pages in the repository. */
export const pagesIn = (root: string): string[] =>
  globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'examples/*/README.md', 'deploy/**/*.md', 'skills/*/SKILL.md'], {
    cwd: root,
  })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/** Files that the site contains in addition to its pages. */
export const assets = ['docs/openapi.json', 'icon.png']

/** Folder of the pictures that pages show by relative address. */
export const pictures = 'docs/pictures'

/**
 * A page for the site: links to files that are not pages become text, and lines that are comments are removed.
 */
export function pageFor(root: string, path: string, pages: ReadonlySet<string>): string {
  const page = readFileSync(join(root, path), 'utf8')
  return outsideCode(page, (text) =>
    text
      .replace(/^<!--.*-->\n/gm, '')
      .replace(
        /(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g,
        (whole, mark: string, label: string, to: string) =>
          mark || leadsToPage(root, path, to, pages) ? whole : label,
      )
      // Escapes angle brackets and braces, so they are not read as tags or template expressions.
      .replace(
        /`([^`\n]*\{\{[^`\n]*)`|`[^`\n]+`|<(?=[A-Za-z])|\{\{/g,
        (found, braces?: string) =>
          (braces && `<code v-pre>${braces.replaceAll('<', '&lt;')}</code>`) ??
          { '<': '&lt;', '{{': '&#123;&#123;' }[found] ??
          found,
      ),
  )
}

function leadsToPage(root: string, path: string, to: string, pages: ReadonlySet<string>): boolean {
  const [file = ''] = to.split('#')
  const target = relative(root, join(root, dirname(path), file)).replaceAll('\\', '/')
  // Links to missing files stay, so the build reports them.
  if (!existsSync(join(root, target))) return true
  return pages.has(target) || (assets.includes(target) && statSync(join(root, target)).isFile())
}

const outsideCode = (page: string, change: (text: string) => string) =>
  page
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('')

type Item = { text: string; link: string }
export type Section = { text: string; items: Item[]; collapsed: boolean }

/** The table of contents, from the tables of docs/index.md. */
export function contentsOf(root: string): Section[] {
  const [, ...parts] = readFileSync(join(root, 'docs/index.md'), 'utf8').split(/^## /m)
  return parts.map((part) => {
    const links = [...part.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)\)/g)]
    const items = links.map(([, text = '', to = '']) => ({ text, link: `/${join('docs', to).replaceAll('\\', '/')}` }))
    const isFirst = (item: Item, at: number) => items.findIndex(({ link }) => link === item.link) === at
    return { text: part.split('\n')[0] ?? '', items: items.filter(isFirst), collapsed: false }
  })
}
