/** Containers of consent managers, which lay their text over any page. */
const consentWord =
  /^(?:onetrust-(?:consent-sdk|banner-sdk|pc-sdk)|cybotcookiebotdialog|didomi-host|usercentrics-root|truste-consent|qc-cmp2-(?:container|ui)|sp_message_container.*|cmplz-cookiebanner-container|cky-consent-container|iubenda-cs-banner|termly-code-snippet-support|cookie-?(?:banner|consent|notice|policy|law-info)(?:-.*)?|gdpr-(?:banner|consent|cookie).*|moove_gdpr.*)$/

/** Class and id words that name furniture only when they are the whole word: "widget" as a part would delete every Elementor page. */
const wholeWords = new Set(
  `nav menu header footer top topbar bottom side sidebar aside rail ad ads advert advertisement banner share sharing
   social widget search login signin signup register toolbar overlay modal popup lightbox drawer cookie cookies consent
   newsletter subscribe subscription promo related recommended recommendations trending popular pagination pager paging
   breadcrumb breadcrumbs crumbs toc tags tag-list copyright legal skip tooltip toast loader loading spinner cart minicart
   wishlist language lang locale comments-form respond disqus byline-share print noprint hidden hide invisible sr-only
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
  'postprofile|signature|poster-?info|vote-?controls|reactions?(?:-?bar)?|follow-?us|get-?app|app-?banner|helpful|feedback',
].join('|')

/** Words that name furniture even as a hyphenated part of a class or id. */
const tellingPart = new RegExp(`(?:^|[-_])(?:${tellingParts})(?:$|[-_])`, 'i')
/** Prefixes of classes that speak about state or size, or that come from style systems. */
const stateWord = /^(?:has|no|with|is|js|wp-|tw-|md:|lg:|sm:)/
const commentWord = /^(?:comments?|comment-?list|comments-?(?:area|section|wrapper)|disqus_thread|respond)$/i

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

/** Headings that open a part of the page which is not its content. */
export const tailHeading =
  /^(?:related|similar|you (?:may|might)(?: also)?|(?:customers?|people|shoppers)(?: who)?(?: \w+)? also|recommended|recommendations?|more (?:from|in|on|like|stories|articles|posts|news)|recently viewed|read (?:next|more|also)|also (?:read|like)|what to read next|keep reading|continue reading|up next|next (?:article|post|up)|previous (?:article|post)|latest (?:news|posts|articles|stories|from)|popular|trending|most (?:read|popular|viewed)|top stories|share (?:this|on|via|article)|share$|follow us|stay (?:connected|updated|in touch|informed)|subscribe|sign up|newsletter|get (?:the|our) (?:latest|newsletter)|join (?:our|the) (?:newsletter|mailing)|about the author|leave a (?:reply|comment)|post a comment|write a comment|comments?(?: \(\d+\))?$|\d+ comments?$|responses?$|tags?:?$|categories:?$|filed under|table of contents|on this page|in this article|contents$|jump to|quick links|useful links|advertisement|sponsored|suggested|you must be logged|frequently bought together|complete the look|pairs well with|explore more|discover more|see also:?$)/i

/** Lone words that are calls to action, not text. */
export const callToAction =
  /^(?:add to (?:cart|bag|basket|wishlist)|buy now|shop now|learn more|read more|view (?:all|more|details|product)|see (?:all|more)|show (?:more|less|all)|load more|share|reply|quote|like|report|save|print|copy(?: link| code)?|edit|follow|subscribe|sign (?:in|up)|log in|register|submit|search|menu|close|next|previous|prev|back to top|skip to (?:main )?content|click to expand.*|upvote|downvote|cancel|filter|sort|clear(?: all)?|apply|quick (?:view|shop|add)|add to compare|compare|download app|get started)$/i
