import { nameConsentManager } from '../consent/consent-managers.ts'
import { classOf, type Element, visit } from '../dom/dom.ts'
import { withoutPartsOfText } from '../dom/part-of-text.ts'
import type { Measures } from './measure.ts'

const boilerplateRole =
  /^(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar|toolbar|tablist|alert|status)$/
/** Elements that are never boilerplate by class name alone. */
const trustedTag = /^(?:body|main|article|code|pre|table|tbody|tr|td|th|h[1-6]|html|p|blockquote)$/

/** A shorter reviews box (in characters) is the rating, which is a fact about the product. */
const maxRating = 350

export type BoilerplateRules = {
  /** Judge by class and id words too, not only by element names and roles. */
  byClass: boolean
  /** On a forum, comments are the content. */
  forum: boolean
  /** Which customer reviews stay: none on product pages, all on articles and forums, testimonials elsewhere are dropped as advertising. */
  keptReviews: 'all' | 'testimonials' | 'none'
  /** Elements known to be content, such as the text of forum posts. */
  kept: ReadonlySet<Element>
}

/**
 * Finds the boilerplate of a page from the top down: each kind of evidence counts up to a share of the page's text, and
 * nothing that holds the main element or the title, or that stands in a sentence, is chosen. The tree is not changed.
 */
export function findBoilerplate(body: Element, measures: Measures, strictness: BoilerplateRules): Element[] {
  const total = measures.of(body).text || 1
  const found: Element[] = []
  let main: Element | undefined
  visit(body, (element) => {
    if (strictness.kept.has(element)) return 'skip'
    if (main && !main.contains(element)) main = undefined
    const { text } = measures.of(element)
    const limit = maxBoilerplateShare(element, main !== undefined, text, strictness)
    if (limit > 0 && text <= limit * total && !mustStay(element, measures)) {
      found.push(element)
      return 'skip'
    }
    if (!main && isMain(element)) main = element
    return undefined
  })
  return withoutPartsOfText(found)
}

/** The largest share of the page's text at which the element still counts as boilerplate; 0 without any evidence. */
function maxBoilerplateShare(element: Element, inMain: boolean, text: number, strictness: BoilerplateRules): number {
  const byName = shareByName(element.localName, inMain)
  if (byName !== undefined) return byName
  const role = element.getAttribute('role')
  if (role === 'tabpanel') return 0
  if (role && boilerplateRole.test(role.toLowerCase())) return 0.35
  return trustedTag.test(element.localName) ? 0 : shareByClass(element, inMain, text, strictness)
}

function shareByName(name: string, inMain: boolean): number | undefined {
  if (name === 'header') return inMain ? 0 : 0.3
  if (name === 'nav') return 0.6
  return name === 'footer' || name === 'aside' || name === 'menu' ? 0.35 : undefined
}

function shareByClass(element: Element, inMain: boolean, text: number, strictness: BoilerplateRules): number {
  const words = namesOf(element)
  if (words.length === 0) return 0
  if (namesConsent(words)) return 0.8
  if (!strictness.byClass) return 0
  if (namesSidebar(words) && !inMain) return 0.5
  if (namesBoilerplate(inMain ? words.filter((word) => !contentsClass.test(word)) : words)) return inMain ? 0.12 : 0.25
  if (text > maxRating && isReviewBox(words, strictness.keptReviews)) return 0.7
  return !strictness.forum && namesComments(words) ? 0.6 : 0
}

/** The words of class and id, in lower case. */
function namesOf(element: Element): string[] {
  const id = element.getAttribute('id') ?? ''
  const names = classOf(element)
  if (id === '' && names === '') return []
  // Ids of many words are made from headings and say nothing about the role of the element.
  return `${names} ${id.split(/[-_]/).length > 3 ? '' : id}`.toLowerCase().split(/\s+/)
}

function isReviewBox(words: readonly string[], stays: BoilerplateRules['keptReviews']): boolean {
  return stays !== 'all' && (namesReviews(words) || (stays === 'none' && namesTestimonials(words)))
}

function isMain(element: Element): boolean {
  const name = element.localName
  return name === 'main' || name === 'article' || element.getAttribute('role') === 'main'
}

function mustStay(element: Element, measures: Measures): boolean {
  const { main, h1, text, proses } = measures.of(element)
  if (main > 0 || (element.getAttribute('role') === 'tablist' && proses > 0)) return true
  if (h1 === 0 || text <= 60 || element.localName === 'nav') return false
  return element.localName !== 'header' || text > 400
}

/** Cookie banners and policies whose makers wrote their own; consent managers have their list. */
const consentClass =
  /^(?:cookie-?(?:banner|consent|notice|policy|law-info)(?:-.*)?|gdpr-(?:banner|consent|cookie).*|moove_gdpr.*)$/

/** Whole class and id words that name boilerplate; as part of a word, "widget" would delete every Elementor page. */
const boilerplateWords = new Set(
  `nav menu header footer top topbar bottom side sidebar aside rail ad ads advert advertisement banner share sharing
   social widget search login signin signup register toolbar overlay modal popup lightbox drawer cookie cookies consent
   newsletter subscribe subscription promo related recommended recommendations trending popular pagination pager paging
   breadcrumb breadcrumbs crumbs toc tags tag-list copyright legal skip tooltip toast loader loading spinner cart minicart
   wishlist language lang locale comments-form respond disqus byline-share print noprint sr-only
   navigation masthead dropdown flyout submenu notice-bar alert reply-form signature bio-box jump-links`.split(/\s+/),
)

const boilerplateStems = [
  'nav(?:bar|igation|box|menu)?|menu|mega-?menu|sub-?menu|side-?bar|side-?nav|foot(?:er)?|site-?header|page-?header-?nav',
  'global-?header|header-?(?:nav|menu|top|bar)|bread-?crumbs?|cookies?|consent|gdpr|onetrust|newsletter|subscribe',
  'sign-?up|log-?in|share|sharing|social|related|recommend(?:ed|ations?)?|also-?(?:like|bought|viewed)|upsell',
  'cross-?sells?|promo|adverts?|advertisement|ads?|sponsor(?:ed)?|popup|modal|offcanvas|off-canvas|drawer',
  'skip-?(?:link|to)|screen-?reader|sr-?only|visually-?hidden|pagination|pager|mini-?cart|wishlist',
  'lang(?:uage)?-?(?:selector|switcher|picker)|country-?(?:selector|picker)|back-?to-?top|tag-?cloud|tags-?links',
  'author-?(?:bio|box)|post-?nav(?:igation)?|toc|table-of-contents|comment-?form|reply-?form|taboola|outbrain',
  'most-?(?:read|popular|viewed)|announcement(?:-?bar)?|top-?bar|contextual-?links|recently-?viewed|edit-?section',
  'mw-jump|printfooter|catlinks|post-?controls|user-?(?:info|details|panel|extras)|message-?user|message-?signature',
  'facets?|facet-?(?:list|group|item)|refinements?|filters|filter-?(?:bar|panel|list|group|sidebar|menu|options?|wrapper|drawer|form|section)',
  'sort-?by|sort-?(?:bar|options?)|sorting',
  'postprofile|signature|poster-?info|vote-?controls|reactions?(?:-?bar)?|follow-?us|get-?app|app-?banner|helpful|feedback',
].join('|')

/** Tables of contents, which are part of the text inside of it. */
const contentsClass = /^(?:[a-z]+[-_])?(?:toc|table-of-contents)(?:[-_][a-z]+)?$/

/** Words that name boilerplate even as a hyphenated part of a class or id. */
const boilerplateStem = new RegExp(`(?:^|[-_])(?:${boilerplateStems})(?:$|[-_])`, 'i')
/** Classes that describe state or size, or belong to utility frameworks such as Tailwind. */
const stateClass =
  /^(?:has|no|with|is|js|wp-|tw-|md:|lg:|sm:)|(?:^|[-_])(?:enabled|disabled|false|none|without)(?:$|[-_])/
const commentClass = /^(?:comments?|comment-?list|comments-?(?:area|section|wrapper)|disqus_thread|respond)$/i

/** Containers of customer reviews, by shop systems and third-party widgets. */
const reviewClass =
  /^(?:(?:customer|product|user|google|site|store|all|verified|ratings?-?(?:and-?)?)[-_]?)?reviews?(?:[-_]?(?:list|container|section|widgets?|wrapper|content|tab|block|carousel|slider|grid|items?|area|module))?$|^(?:yotpo|jdgm|judgeme|bazaarvoice|bv[-_]|loox|stamped|okendo|oke-|trustpilot|ti-widget|reviewsio|elfsight|powerreviews|pr-review|feefo)/

function namesTestimonials(words: readonly string[]): boolean {
  return words.some((word) => /(?:^|[-_])testimonials?(?:$|[-_])/.test(word))
}

/** Plain sidebar names, which are trusted even for long columns. */
function namesSidebar(words: readonly string[]): boolean {
  return words.some((word) =>
    /^(?:(?:right|left|page|site|main|blog|shop)[-_]?)?side-?bar(?:[-_](?:right|left|wrapper|content|inner))?$/.test(
      word,
    ),
  )
}

function namesReviews(words: readonly string[]): boolean {
  return words.some((word) => reviewClass.test(word))
}

/** True when a class or id says that the element is navigation, advertising or other boilerplate. */
function namesBoilerplate(words: readonly string[]): boolean {
  return words.some((word) => boilerplateWords.has(word) || holdsBoilerplateStem(word))
}

function namesComments(words: readonly string[]): boolean {
  return words.some((word) => commentClass.test(word))
}

function namesConsent(words: readonly string[]): boolean {
  return nameConsentManager(words) || words.some((word) => consentClass.test(word))
}

function holdsBoilerplateStem(word: string): boolean {
  return word.length < 60 && boilerplateStem.test(word) && !stateClass.test(word)
}
