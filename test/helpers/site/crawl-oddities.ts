import { crawlFiles } from './crawl-files.ts'
import { html, inMain, navigation, redirect, type HtmlAnswer, type Pages, type SiteLink } from './crawl-model.ts'

export const sitemapOnly = {
  plain: Array.from({ length: 20 }, (_, at) => `/archive/box-${at + 1}`),
  packed: Array.from({ length: 20 }, (_, at) => `/archive/box-${at + 21}`),
  extra: ['/archive/extra-1', '/archive/extra-2', '/archive/search?what=a&how=b'],
  docs: Array.from({ length: 5 }, (_, at) => `/docs/unlinked-${at + 1}`),
}

const page = (links: readonly SiteLink[] = [], more: Partial<HtmlAnswer> = {}) => html([...navigation, ...links], more)

/** Pages with every kind of problem, all linked from `/odd/`, which the home page links. */
export function makeOddities(slowMs: number): Pages {
  const pages: Pages = {
    ...redirects,
    ...alike,
    ...statuses,
    ...crawlFiles,
    '/odd/slow-1': page([], { waitMs: slowMs }),
    '/odd/slow-2': page([], { waitMs: slowMs }),
    '/odd/slow-3': page([], { waitMs: slowMs }),
    '/odd/busy-503': page(inMain('/odd/behind-busy'), { busyFirst: 503 }),
    '/odd/busy-429': page([], { busyFirst: 429 }),
    '/odd/behind-busy': page(),
    '/odd/script-only': html(inMain('/odd/behind-script'), { shell: 'by script' }),
    '/odd/behind-script': page(),
    '/odd/nofollow': page(),
    '/odd/in-footer': page(),
    '/odd/in-nav': page(),
    '/odd/with-base': page(inMain('relative', './dotted', '?query=1'), { base: '/odd/base/' }),
    '/odd/base/relative': page(),
    '/odd/base/dotted': page(),
    '/odd/base/': page(),
    '/odd/large': page(inMain('/odd/behind-large'), { padBytes: 1_200_000 }),
    '/odd/behind-large': page(),
    '/odd/western': page(inMain('/odd/café'), { charset: 'windows-1252' }),
    '/odd/caf%C3%A9': page(),
    '/odd/japanese': page(inMain('/odd/港'), { charset: 'shift_jis' }),
    '/odd/%E6%B8%AF': page(),
    '/odd/app': page(inMain('#/orders', '#!/orders', '#section')),
    '/odd/strange-links': page(strangeLinks),
    '/docs-old/one': page(inMain('/docs-old/two')),
    '/docs-old/two': page(),
    '/private/': page(inMain('/private/behind-robots')),
    '/private/behind-robots': page(),
    '/private/open/': page(inMain('/private/open/door', '/private/closed')),
    '/private/open/door': page(),
    '/private/closed': page(),
    '/private/listed': page(),
    '/private/open/listed': page(),
    '/odd/print': page(),
  }
  const listed = Object.values(sitemapOnly).flat()
  const reached = Object.keys(pages).filter((path) => path.startsWith('/odd/') && !isBehind(path))
  return {
    ...pages,
    ...Object.fromEntries(listed.map((path) => [path, page()])),
    '/odd/': page([...inMain(...reached), ...crooked, ...inMain(...Object.keys(crawlFiles))]),
  }
}

/** True for pages that are only linked from another odd page. */
const isBehind = (path: string) => /\/(?:behind-|base\/|caf%|%E6|moved-to|chain-|final|loop-|nofollow|in-)/.test(path)

const strangeLinks: readonly SiteLink[] = inMain(
  'javascript:void(0)',
  'tel:+4912345',
  'data:text/html,hello',
  'mailto:desk@site.test',
  'ftp://site.test/file',
  'http://',
  'http://[broken/',
  '',
  ' /odd/in-nav ',
  '//other.test.invalid-port:99999/',
)

const crooked: readonly SiteLink[] = [
  { href: '/odd/nofollow', place: 'main', rel: 'nofollow' },
  { href: '/odd/in-footer', place: 'footer' },
  { href: '/odd/in-nav', place: 'nav' },
  ...inMain(
    '/private/',
    '/private/open/',
    '/odd/print?print=1',
    '/odd/print?utm_source=mail&utm_medium=link',
    '/odd/print?gclid=abc',
    '/odd/missing-1',
    '{sub}/',
    '{sub}/guide/start',
    '{other}/',
    '{other}/closed/door',
    '{www}/about',
    '{www}/odd/in-nav#again',
  ),
]

/** A redirect and its target are one page. */
const redirects: Pages = {
  '/odd/moved-301': redirect('/odd/moved-to-301', 301),
  '/odd/moved-to-301': page(),
  '/odd/moved-302': redirect('/about', 302),
  '/odd/moved-307': redirect('{origin}/odd/moved-to-307', 307),
  '/odd/moved-to-307': page(),
  '/odd/chain': redirect('/odd/chain-2', 301),
  '/odd/chain-2': redirect('chain-3', 302),
  '/odd/chain-3': redirect('/odd/final', 308),
  '/odd/final': page(),
  '/odd/loop': redirect('/odd/loop-back', 302),
  '/odd/loop-back': redirect('/odd/loop', 302),
  '/odd/away': redirect('{other}/arrived', 302),
  '/odd/into-private': redirect('/private/closed', 302),
  '/odd/to-missing': redirect('/odd/moved-to-nothing', 301),
}

/** Similar URLs: all copies are one page, those that differ by case are three. */
const alike: Pages = {
  '/odd/copies': page(
    inMain('/odd/twin', '/odd/twin/', '/odd/twin/index.html', '/odd/twin#part', '/odd/twin/index.php'),
  ),
  '/odd/twin': page(),
  '/odd/Case': page(),
  '/odd/case': page(),
  '/odd/CASE': page(),
}

const statuses: Pages = {
  '/odd/gone': page([], { status: 410 }),
  '/odd/broken': page([], { status: 500 }),
  '/odd/forbidden': page([], { status: 403 }),
  '/odd/closed': page([], { status: 503 }),
}
