import { relatedAbroad } from './other-languages.ts'

const relatedPhrases = [
  String.raw`related|you (?:may|might)(?: also)?|(?:customers?|people|shoppers)(?: who)?(?: \w+)? also|recommended (?:for|articles?|products?|reading|reads|stories|posts|content|items|accessories|links|videos)|recommendations?(?: for|$)`,
  String.raw`similar (?!to\b)|more (?:from|in|on|like|stories|articles|posts|news)|recently viewed|read (?:next|more|also)|also (?:read|like)|what to read next|keep reading|continue reading|up next`,
  String.raw`next (?:article|post|up)|previous (?:article|post)|share (?:this|on|via|article)|share$|follow us|connect with us|stay (?:connected|updated|in touch|informed|in the loop)|subscribe|sign up|newsletter`,
  String.raw`get (?:the|our) (?:latest|newsletter)|join (?:our|the) (?:newsletter|mailing)|about the author|leave a (?:reply|comment)|post a comment|write a comment|all comments|comments?(?: \(\d+\))?$|\d+ comments?$|responses?$`,
  String.raw`tags?:?$|categories:?$|filed under|quick links|useful links|advertisement|sponsored|suggested|you must be logged|frequently bought together`,
  String.raw`complete the (?:look|set)|pairs well with|see also:?$|hot network questions|explore related questions|featured on meta|the overflow blog|similar (?:threads|topics|discussions)|recent(?:ly)? (?:posts|articles|comments|added)|recent events`,
  String.raw`(?:sort|filter|refine)(?: (?:and|&) (?:sort|filter))?(?: by| results| your results.*)?:?$|share your thoughts|let us know what you think|your recently viewed|verify your account|forgot (?:your )?password|create an account|sign in$|log ?in$`,
]

/** Headings of tables of contents. */
export const contentsHeading = /^(?:table of contents|on this page|in this article|contents$|jump to)/i

/** Headings over rows of logos. */
export const logoHeading =
  /^(?:trusted by|(?:as )?(?:seen|featured) (?:in|on|by)|our (?:partners|clients|customers|sponsors)|in partnership with|used by|loved by|backed by|powered by|join (?:the )?(?:\S+ )?[\d,.]+[km]?\+? )/i

/** Headings of the closing promotion on a sales page, with a button under them. */
export const promotionHeading =
  /^(?:ready to\b.*\?|(?:still )?have (?:any |more )?questions\??|need help\b.*\??|want to learn more\??|let['’]s talk.?|get started(?: (?:now|today|for free))?[.!]?|partner with \w+.*)$/i

const listPhrases =
  'latest (?:news|posts|articles|stories|from)|popular|trending|most (?:read|popular|viewed)|top stories|explore more|discover more'

const relatedHeading = new RegExp(`^(?:${relatedPhrases.join('|')})`, 'i')

/** Headings of sections that are not content. */
export const opensRelated = (words: string) => relatedHeading.test(words) || relatedAbroad.test(words)

/** Headings of lists that are boilerplate on articles and products but content on a front page. */
export const listHeading = new RegExp(`^(?:${listPhrases})`, 'i')
