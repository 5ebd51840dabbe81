import { classOf, type Element } from '../dom/dom-tree.ts'

/** Matches one of the words as a part of a name: `product-list`, `ProductList` and `list_2` all name a list. */
const naming = (words: string) => new RegExp(`(?<![a-z])(?:${words})(?![a-z])`, 'i')

/** `productList` becomes `product List`. */
const withoutHumps = (name: string) => name.replace(/([a-z])(?=[A-Z])/g, '$1 ')

/** Returns the classes and id of an element, and its tag name if it is a custom element. */
export function namesOf(element: Element): string {
  const { localName } = element
  const names = `${classOf(element)} ${element.getAttribute('id') ?? ''}`
  return withoutHumps(localName.includes('-') ? `${names} ${localName}` : names).trim()
}

const placeholderName = naming(
  'skel(?:eton)?s?|shimmer|ghost|animate-pulse|placeholder-(?:glow|wave|row|item|card|line)',
)
const plainPlaceholder = /(?:^|\s)(?:(?:content|text|card|row|item|list)-)?placeholder(?:$|\s)/i
const loaderName = naming('loaders?|loading|spinner|throbber|lds')

/** True for placeholders of content that loads later. */
export const namesPlaceholder = (names: string) => placeholderName.test(names) || plainPlaceholder.test(names)
export const namesLoader = (names: string) => loaderName.test(names)

const besideName = naming(
  [
    'comments?|disqus|replies|reactions?|likes?|shar(?:e|ing|edaddy)|social|fb|facebook|twitter|tweets?|instagram|chat',
    'reviews?|rating\\w*|related|recommend\\w*|recos?|similar|also|might|recent(?:ly)?|viewed|trending|popular|suggest\\w*',
    'ads?|adsby\\w*|advert\\w*|werbung|gpt|dfp|sponsor\\w*|banners?|promos?|outbrain|taboola|newsletter|subscribe|paywall|\\w*captcha|cookies?|consent',
    'modal|popup|popover|lightbox|overlay|drawer|off-?canvas|toasts?|alerts?|messages?|notifications?|tooltips?|dropdown',
    'menu|sub-?menu|nav\\w*|header|footer|sidebar|toolbar|breadcrumbs?|paginat\\w*|pager|load-?more|infinite|filters?|facets?',
    'autocomplete|typeahead|player|map|weather|cart|basket|wish\\w*|shipping|warranty|pay(?:pal|ments?)|swatch\\w*|variants?',
    'sticky|spacer|divider|clear\\w*|badges?|splash|preload(?:er)?|scripts?|anchor|feedback|survey|sliders?|settings?|widget_\\w+|elfsight|smile',
  ].join('|'),
)
/**
 * True for elements outside the page's content or not shown yet: overlays, advertising, and widgets that most sites
 * load late.
 */
export const namesSomethingBeside = (names: string) => besideName.test(names) || hiddenName.test(names)

/** Matches whole class names: `overflow-hidden` and `visually-hidden` hide nothing from a reader. */
const hiddenName = /(?:^|\s)(?:(?:is-|u-)?hidden|hide|invisible|d-none|display-none|htmx-indicator)(?:$|\s)/i

const listWords =
  'lists?|listings?|results?|hits|products?|items|feeds?|cards|posts|articles|events|jobs|offers|entries|rows|records|catalog(?:ue)?|stories|news|timeline|gallery|directory|inventory|leaderboard'
const listHead = new RegExp(
  `(?:${naming(listWords).source}|[-_ ](?:grid|table))(?:[-_ ](?:container|wrapper|box|area|holder|root|app|mount))?$`,
  'i',
)
const utilityName = /^(?:no|inline)[-_]|[:[]/i

/** True if the last word of a name denotes a list. */
export const namesList = (name: string) => !utilityName.test(name) && listHead.test(withoutHumps(name))

/** "Loading" in the languages of most pages. */
const loadingWords = [
  'loading|please wait|just a moment|one moment|fetching|hang on|wird geladen|werden geladen|lade|lädt|bitte warten',
  'laden|even geduld|chargement|veuillez patienter|cargando|espere|caricamento|attendere|carregando|a carregar|загрузка',
  'wczytywanie|ładowanie|yükleniyor|laddar|indlæser|ladataan|načítá|đang tải|読み込み中|加载中|正在加载|載入中|로딩|불러오는',
].join('|')
const ellipsis = '(?:\\s*(?:\\.{2,}|…))'
const end = '\\s*[.…。]*$'
const startsLoading = new RegExp(`^(?:${loadingWords})(?![\\p{L}\\d])[^.!?。…]{0,40}${end}`, 'iu')
const endsLoading = new RegExp(`(?:(?:is|are) loading|(?:wird|werden) geladen|読み込んでいます)${end}`, 'iu')
/** Marks the end of a list that is already loaded. */
const loadsMore = /(?<![\p{L}])(?:more|mehr|weitere|plus|más|mais|meer|altri)(?![\p{L}])/iu
const endsOpen = new RegExp(`${ellipsis}$`, 'u')

export const maxMessage = 60
const label = /^(?:h[1-6]|a|li|dt|strong|b|em)$/

/**
 * True if a text announces that content is still loading. "Loading dock" may be a list entry; "Loading dock…" is not.
 */
export function isLoadingMessage(text: string, { localName }: Element): boolean {
  if (loadsMore.test(text)) return false
  if (endsLoading.test(text)) return true
  return startsLoading.test(text) && (!label.test(localName) || endsOpen.test(text) || !text.includes(' '))
}
