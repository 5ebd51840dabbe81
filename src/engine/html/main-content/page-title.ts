import {
  type Element,
  type Side,
  sides,
  elementsIn,
  nearestText,
  rename,
  isPartOfText,
  exceedsSize,
  maxLineNodes,
  classOf,
  closest,
  oneLine,
} from '../dom/dom-tree.ts'
import { type ElementIndex, metaContents, titlesOf } from '../dom/element-index.ts'

/** Title of a page in its h1, found before the page is modified. */
type PageTitle = {
  heading: Element
  /** Normalised by `sameWords`. */
  words: string
}

const maxTitle = 300
const elsewhere = /^(?:nav|aside|footer|dialog)$/
const elsewhereClass = /cookie|consent|modal|pop-?up|onetrust/i

/** Returns the title of a body without hidden parts; undefined if it has no h1, or only one that names the site. */
export function pageTitle(body: Element, elements: ElementIndex, url: string): PageTitle | undefined {
  const headings = body.descendants(isH1)
  const named = headings.flatMap((heading) => {
    const words = sameWords(heading.textContent)
    return words === '' || words.length > maxTitle ? [] : [{ heading, words }]
  })
  if (named.length === 0) return undefined
  const names = siteNamesOf(elements, url)
  const isSiteName = ({ heading, words }: (typeof named)[number]) => names.has(words) || linksHome(heading, url)
  const own = named.filter((each) => !isSiteName(each))
  // The home page of a site may have the site's name as its title.
  const left =
    own.length > 0 ? own : named.filter(({ words }) => isHome(url) || (named.length === 1 && !names.has(words)))
  const titles = left.filter(({ heading }) => !closest(heading, isElsewhere))
  const declared = titlesOf(elements).map(sameWords).filter(Boolean)
  return (
    titles.find(({ words }) => declared.some((title) => title === words)) ??
    titles.find(({ words }) => words.length > 3 && declared.some((title) => title.includes(words))) ??
    titles[0]
  )
}

const isH1 = ({ localName }: Element) => localName === 'h1'

function isElsewhere(element: Element): boolean {
  return (
    elsewhere.test(element.localName) ||
    (element.localName === 'div' && elsewhereClass.test(`${classOf(element)} ${element.getAttribute('id') ?? ''}`))
  )
}

/** Reduces a text to lower-case letters and digits, to compare texts regardless of punctuation and spaces. */
export function sameWords(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

const separator = /\s+[|–—·»:•-]\s+/

/** Returns names of the site: from the meta tags, the host name, and the last part of a title that contains neither. */
function siteNamesOf(elements: ElementIndex, url: string): ReadonlySet<string> {
  const [site = ''] = metaContents(elements, /^og:site_name$/)
  const parts = oneLine(elements.named('title')[0]?.textContent ?? '').split(separator)
  const host = /^https?:\/\/(?:www\.)?([^/:]+)/.exec(url)?.[1] ?? ''
  const names = new Set([site, host, host.replace(/\.[^.]+$/, '')].map(sameWords).filter(Boolean))
  const last = sameWords(parts.at(-1) ?? '')
  return parts.length < 2 || parts.some((part) => names.has(sameWords(part))) ? names : names.add(last)
}

const isHome = (url: string) => /^https?:\/\/[^/]+\/?(?:[?#].*)?$/.test(url)

/** True for a heading around the logo: a link to the site's home page, unless this page is the home page. */
function linksHome(heading: Element, url: string): boolean {
  if (isHome(url)) return false
  const link =
    closest(heading, (up) => up.localName === 'a', 3) ?? elementsIn(heading).find(({ localName }) => localName === 'a')
  const href = link?.getAttribute('href')?.trim()
  return (
    href !== undefined &&
    /^(?:https?:\/\/[^/]+)?\/?$/.test(href) &&
    sameWords(link?.textContent ?? '').length >= 0.9 * sameWords(heading.textContent).length
  )
}

/**
 * Makes the title the only h1 of the content, in its original position or at the start. All other text stays unchanged,
 * except a block directly before or after the title that only repeats it.
 */
export function keepTitle(root: Element, { heading, words }: PageTitle): void {
  const own = root.contains(heading) ? heading : (promoted(root, words) ?? heading)
  if (!root.contains(own)) root.prepend(own)
  for (const other of root.descendants(isH1)) if (other !== own) rename(other, 'h2')
  for (const side of sides) blockBeside(own, words, side, root)?.remove()
}

/** Maximum number of elements at the start of the content among which the title may occur at another level. */
const maxLead = 40

/** Makes a heading of another level with the same words an h1. */
function promoted(root: Element, words: string): Element | undefined {
  const lead = elementsIn(root).slice(0, maxLead)
  const heading = lead.find((each) => /^h[1-6]$/.test(each.localName) && sameWords(each.textContent) === words)
  return heading && rename(heading, 'h1')
}

/** Returns the block with the next words before or after the title if it only repeats the title. */
function blockBeside(own: Element, words: string, side: Side, root: Element): Element | undefined {
  const text = nearestText(own, side, (node) => node === root)
  let block: Element | undefined
  for (let up = text?.parentNode; up && up !== root && !up.contains(own); up = up.parentNode) {
    if (exceedsSize(up, maxLineNodes, 2 * words.length + 80) || sameWords(up.textContent) !== words) break
    if (!elementsIn(up).some(({ localName }) => localName === 'img') && !isPartOfText(up)) block = up
  }
  return block
}
