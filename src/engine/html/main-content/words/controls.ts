import { controlsAbroad } from './other-languages.ts'

const buyPhrases = String.raw`add (?:all )?to (?:cart|bag|basket|wishlist|compare|favou?rites|quote)|buy (?:it )?now|shop (?:now|all)|view (?:shopping )?(?:cart|bag|basket)(?: \(\d+\))?|go to (?:cart|checkout)|(?:proceed to )?checkout|quick (?:view|shop|add|buy)|choose options|select options|notify me.{0,20}|sold out\? notify me|compare|write a review|add your review|leave a review`

const morePhrases = String.raw`learn more|read more|know more|find out more|view (?:all|more|details|product|options|collection|full details)|see (?:all|more|details|full details|full item description)|show (?:more|less|all|options)|load more|view less|hide|expand|collapse|explore(?: all)?|get details|read full (?:story|details|article)|click to (?:expand|enlarge|zoom).*|click here`

const joinPhrases = String.raw`follow(?: us)?|subscribe(?: now)?|sign (?:in|up)(?: now| for free)?|sign in or join|log ?in|log in or (?:register|sign up)|register(?: now)?|create an account|get started(?: (?:now|today|for free|free))?|start (?:a |your )?free trial|try (?:it )?(?:for )?free|start (?:for )?free|get a (?:free )?(?:quote|demo|estimate)|(?:request|book|schedule) a (?:free )?(?:demo|quote|call|consultation|meeting)|book now|contact (?:us|sales)|get in touch|talk to (?:us|sales|an expert)|download(?: app| now)|get pricing|join now(?: for free)?|donate(?: now| today)?!?|try .{1,20} (?:now|free|for free)|get \w+ (?:for )?free|explore products`

const controlPhrases = String.raw`share:?|reply|quote|like|report|save|print|copy(?: link| code)?|edit|submit|search|menu|close|open menu|next|previous|prev|back|back to top|go to top|skip to (?:main )?content|upvote|downvote|cancel|filters?|filter (?:&|and) sort|sort (?:&|and) filter|sort|clear(?: all)?|apply|reset(?: filters?| to default)?|expand/collapse all filters|select all|jump to|go to topic listing|accept(?: all)?|decline|reject all|allow all|privacy policy|terms (?:of (?:use|service)|(?:and|&) conditions)|cookie (?:policy|settings|preferences)|open in app|view transcript`

const callToAction = new RegExp(
  `^(?:${buyPhrases}|${morePhrases}|${joinPhrases}|${controlPhrases})[.!…>→»›*\\s]*$`,
  'i',
)

/** Texts that are calls to action or controls when they stand alone. */
export const callsToAction = (words: string) => callToAction.test(words) || controlsAbroad.test(words)

/** First words of links that are controls when the page repeats them. */
export const repeatableCall =
  /^(?:view|read|see|show|get|shop|explore|discover|learn|know|find out|book|buy|choose|select|add|order|compare|request|start|try|register|visit|customi[sz]e)\b/i
