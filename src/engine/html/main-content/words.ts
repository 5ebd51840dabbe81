/** Containers of consent managers, which lay their text over any page. */
const consentWord =
  /^(?:onetrust-(?:consent-sdk|banner-sdk|pc-sdk)|cybotcookiebotdialog|didomi-host|usercentrics-root|truste-consent|qc-cmp2-(?:container|ui)|sp_message_container.*|cmplz-cookiebanner-container|cky-consent-container|iubenda-cs-banner|termly-code-snippet-support|cookie-?(?:banner|consent|notice|policy|law-info)(?:-.*)?|gdpr-(?:banner|consent|cookie).*|moove_gdpr.*)$/

/** Class and id words that name furniture only when they are the whole word: "widget" as a part would delete every Elementor page. */
const wholeWords = new Set(
  `nav menu header footer top topbar bottom side sidebar aside rail ad ads advert advertisement banner share sharing
   social widget search login signin signup register toolbar overlay modal popup lightbox drawer cookie cookies consent
   newsletter subscribe subscription promo related recommended recommendations trending popular pagination pager paging
   breadcrumb breadcrumbs crumbs toc tags tag-list copyright legal skip tooltip toast loader loading spinner cart minicart
   wishlist language lang locale comments-form respond disqus byline-share print noprint sr-only
   navigation masthead dropdown flyout submenu notice-bar alert reply-form signature bio-box jump-links`.split(/\s+/),
)

const tellingParts = [
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

/** Words that name furniture even as a hyphenated part of a class or id. */
const tellingPart = new RegExp(`(?:^|[-_])(?:${tellingParts})(?:$|[-_])`, 'i')
/** Prefixes of classes that speak about state or size, or that come from style systems. */
const stateWord =
  /^(?:has|no|with|is|js|wp-|tw-|md:|lg:|sm:)|(?:^|[-_])(?:enabled|disabled|false|none|without)(?:$|[-_])/
const commentWord = /^(?:comments?|comment-?list|comments-?(?:area|section|wrapper)|disqus_thread|respond)$/i

/** Boxes of customers' reviews, which shop systems and widgets of others fill. */
const reviewWord =
  /^(?:(?:customer|product|user|google|site|store|all|verified|ratings?-?(?:and-?)?)[-_]?)?reviews?(?:[-_]?(?:list|container|section|widgets?|wrapper|content|tab|block|carousel|slider|grid|items?|area|module))?$|^(?:yotpo|jdgm|judgeme|bazaarvoice|bv[-_]|loox|stamped|okendo|oke-|trustpilot|ti-widget|reviewsio|elfsight|powerreviews|pr-review|feefo)/

export function namesTestimonials(words: readonly string[]): boolean {
  return words.some((word) => /(?:^|[-_])testimonials?(?:$|[-_])/.test(word))
}

/** A column beside the content by its plain name, which is believed where it is long, too. */
export function namesSidebar(words: readonly string[]): boolean {
  return words.some((word) =>
    /^(?:(?:right|left|page|site|main|blog|shop)[-_]?)?side-?bar(?:[-_](?:right|left|wrapper|content|inner))?$/.test(
      word,
    ),
  )
}

export function namesReviews(words: readonly string[]): boolean {
  return words.some((word) => reviewWord.test(word))
}

/** True when a class or id says that the element is navigation, advertising or other furniture. */
export function namesFurniture(words: readonly string[]): boolean {
  return words.some((word) => wholeWords.has(word) || isTelling(word))
}

export function namesComments(words: readonly string[]): boolean {
  return words.some((word) => commentWord.test(word))
}

export function namesConsent(words: readonly string[]): boolean {
  return words.some((word) => consentWord.test(word))
}

function isTelling(word: string): boolean {
  return word.length < 60 && tellingPart.test(word) && !stateWord.test(word)
}

const tails = [
  String.raw`related|you (?:may|might)(?: also)?|(?:customers?|people|shoppers)(?: who)?(?: \w+)? also|recommended (?:for|articles?|products?|reading|reads|stories|posts|content|items|accessories|links|videos)|recommendations?(?: for|$)`,
  String.raw`similar (?!to\b)|more (?:from|in|on|like|stories|articles|posts|news)|recently viewed|read (?:next|more|also)|also (?:read|like)|what to read next|keep reading|continue reading|up next`,
  String.raw`next (?:article|post|up)|previous (?:article|post)|share (?:this|on|via|article)|share$|follow us|connect with us|stay (?:connected|updated|in touch|informed|in the loop)|subscribe|sign up|newsletter`,
  String.raw`get (?:the|our) (?:latest|newsletter)|join (?:our|the) (?:newsletter|mailing)|about the author|leave a (?:reply|comment)|post a comment|write a comment|all comments|comments?(?: \(\d+\))?$|\d+ comments?$|responses?$`,
  String.raw`tags?:?$|categories:?$|filed under|table of contents|on this page|in this article|contents$|jump to|quick links|useful links|advertisement|sponsored|suggested|you must be logged|frequently bought together`,
  String.raw`complete the (?:look|set)|pairs well with|see also:?$|hot network questions|explore related questions|featured on meta|the overflow blog|similar (?:threads|topics|discussions)|recent(?:ly)? (?:posts|articles|comments|added)|recent events`,
  String.raw`(?:sort|filter|refine)(?: (?:and|&) (?:sort|filter))?(?: by| results| your results.*)?:?$|share your thoughts|let us know what you think|your recently viewed|verify your account|forgot (?:your )?password|create an account|sign in$|log ?in$`,
]
/** Headings over rows of logos. */
export const logoHeading =
  /^(?:trusted by|(?:as )?(?:seen|featured) (?:in|on|by)|our (?:partners|clients|customers|sponsors)|in partnership with|used by|loved by|backed by|powered by|join (?:the )?(?:\S+ )?[\d,.]+[km]?\+? )/i
/** Headings of the last push on a sales page, with a button under them. */
export const pitchHeading =
  /^(?:ready to\b.*\?|(?:still )?have (?:any |more )?questions\??|need help\b.*\??|want to learn more\??|let['’]s talk.?|get started(?: (?:now|today|for free))?[.!]?|partner with \w+.*)$/i

const listings =
  'latest (?:news|posts|articles|stories|from)|popular|trending|most (?:read|popular|viewed)|top stories|explore more|discover more'
/** Headings that open a part of the page which is not its content. */
export const tailHeading = new RegExp(`^(?:${tails.join('|')})`, 'i')
/** Headings of lists that are no part of an article or a product, and the very content of a front page. */
export const listHeading = new RegExp(`^(?:${listings})`, 'i')

const buy = String.raw`add (?:all )?to (?:cart|bag|basket|wishlist|compare|favou?rites|quote)|buy (?:it )?now|shop (?:now|all)|view (?:shopping )?(?:cart|bag|basket)(?: \(\d+\))?|go to (?:cart|checkout)|(?:proceed to )?checkout|quick (?:view|shop|add|buy)|choose options|select options|notify me.{0,20}|sold out\? notify me|compare|write a review|add your review|leave a review`
const more = String.raw`learn more|read more|know more|find out more|view (?:all|more|details|product|options|collection|full details)|see (?:all|more|details|full details|full item description)|show (?:more|less|all|options)|load more|view less|hide|expand|collapse|explore(?: all)?|get details|read full (?:story|details|article)|click to (?:expand|enlarge|zoom).*|click here`
const join = String.raw`follow(?: us)?|subscribe(?: now)?|sign (?:in|up)(?: now| for free)?|sign in or join|log ?in|log in or (?:register|sign up)|register(?: now)?|create an account|get started(?: (?:now|today|for free|free))?|start (?:a |your )?free trial|try (?:it )?(?:for )?free|start (?:for )?free|get a (?:free )?(?:quote|demo|estimate)|(?:request|book|schedule) a (?:free )?(?:demo|quote|call|consultation|meeting)|book now|contact (?:us|sales)|get in touch|talk to (?:us|sales|an expert)|download(?: app| now)|get pricing|join now(?: for free)?|donate(?: now| today)?!?|try .{1,20} (?:now|free|for free)|get \w+ (?:for )?free|explore products`
const handle = String.raw`share:?|reply|quote|like|report|save|print|copy(?: link| code)?|edit|submit|search|menu|close|open menu|next|previous|prev|back|back to top|go to top|skip to (?:main )?content|upvote|downvote|cancel|filters?|filter (?:&|and) sort|sort (?:&|and) filter|sort|clear(?: all)?|apply|reset(?: filters?| to default)?|expand/collapse all filters|select all|jump to|go to topic listing|accept(?: all)?|decline|reject all|allow all|privacy policy|terms (?:of (?:use|service)|(?:and|&) conditions)|cookie (?:policy|settings|preferences)|open in app|view transcript`
/** Lone words that are calls to action, not text. */
export const callToAction = new RegExp(`^(?:${buy}|${more}|${join}|${handle})[.!…>→»›*\\s]*$`, 'i')
/** How links begin that are controls when a page says the same in many places. */
export const repeatedCall =
  /^(?:view|read|see|show|get|shop|explore|discover|learn|know|find out|book|buy|choose|select|add|order|compare|request|start|try|register|visit|customi[sz]e)\b/i
