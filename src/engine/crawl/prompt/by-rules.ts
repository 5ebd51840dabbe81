import { type PromptOptions, reason, type Reasons } from '../crawl-options.ts'
import { type Draft, escaped, excludedPaths, gap, includedPaths, type Rule } from './paths.ts'

/**
 * Creates a rule that reads the first match of a pattern. If `read` returns undefined, nothing changes. Options already
 * set are kept.
 */
function firstMatch(
  pattern: RegExp,
  read: (match: RegExpExecArray) => PromptOptions | undefined,
  keeps: (match: RegExpExecArray) => string = () => '',
): Rule {
  return (draft) => {
    const match = pattern.exec(draft.text)
    const found = match && read(match)
    if (!match || !found) return draft
    const text = `${draft.text.slice(0, match.index)}${gap}${keeps(match)}${draft.text.slice(match.index + match[0].length)}`
    return { ...draft, text, options: { ...found, ...draft.options }, reasons: because(draft, found, match[0]) }
  }
}

function because({ reasons }: Draft, found: PromptOptions, words: string): Reasons {
  const why = reason('rules', [words])
  return { ...Object.fromEntries(Object.keys(found).map((option) => [option, why])), ...reasons }
}

const counting =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  single: 1,
  ...Object.fromEntries(counting.split(' ').map((word, at) => [word, at + 1])),
  thirty: 30,
  forty: 40,
  fifty: 50,
}
const scales: Readonly<Record<string, number>> = { half: 0.5, dozen: 12, hundred: 100, thousand: 1000, k: 1000 }

/** Source of a regular expression for a number in digits or words, without capturing groups. */
const numeral = String.raw`(?:\d{1,3}(?:[,.]\d{3})+|\d{1,9}(?:\.\d{1,3})?|(?:${Object.keys(numbers).join('|')}|half)\b)(?:\s?k\b|\s(?:hundred|thousand|dozen)\b)?`

/** Returns the value of a match of `numeral`. */
function valueOf(text: string): number {
  const lower = text.toLowerCase().trim()
  const [, scale] = /(k|hundred|thousand|dozen)$/.exec(lower) ?? []
  const head = (scale ? lower.slice(0, -scale.length) : lower).trim()
  const plain = /^\d{1,3}(?:[,.]\d{3})+$/.test(head) ? head.replace(/[,.]/g, '') : head
  return (numbers[plain] ?? scales[plain] ?? Number(plain)) * (scale ? (scales[scale] ?? 1) : 1)
}

const units =
  'pages?|urls?|posts?|articles?|results?|documents?|docs|links?|items?|entries|files?|products?|recipes?|stories'
const most =
  "(?:do not|don'?t|never)(?: [a-z]+)? more than|at most|up to|no more than|not more than|max(?:imum)?(?:\\s+of)?|limit(?:ed)?(?:\\s+it)?(?:\\s+(?:to|of|at))?|cap(?:ped)?(?:\\s+it)?\\s+at|stop(?:ping)?\\s+(?:after|at)|fewer than|less than"
const some = 'the first|first|top|only|just|about|around|roughly|approximately|a sample of'
/** Negative look-ahead for units that show that a number does not count pages. */
const otherUnit = String.raw`(?!\s*(?:levels?|clicks?|hops?|links? (?:deep|away)|deep|seconds?|secs?|s\b|ms\b|milli|minutes?|mins?|segments?|folders?))`
const secondsOf: Readonly<Record<string, number>> = { m: 0.001, s: 1, minute: 60 }
const time = String.raw`(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?)\b`

const slow = String.raw`(?:(?:very )?(?:slowly|gently|politely|carefully)|(?:be |go )(?:slow|gentle|polite|nice|easy)(?: (?:on|to|with) (?:the |their )?(?:server|site|host))?|(?:do not|don'?t|without) (?:overload|hammer|stress|overwhelm)(?:ing)?(?: (?:the|their))?(?: (?:server|site|host))?)`

const amount = (
  source: string,
  read: (match: RegExpExecArray) => PromptOptions | undefined,
  keeps?: (match: RegExpExecArray) => string,
): Rule => firstMatch(new RegExp(source, 'i'), read, keeps)

/** Rules for speed, depth and page count. Order matters: "10 pages a minute" is not a page limit. */
const amountRules: readonly Rule[] = [
  amount(
    String.raw`\b(${numeral}) (?:pages?|requests?|urls?|fetch(?:es)?) (?:per|an?|each|every) (${numeral}\s)?${time}`,
    ([, count, span, unit]) => delayOf((valueOf(span ?? '1') * secondsIn(unit)) / valueOf(count ?? '1')),
  ),
  amount(
    String.raw`\b(?:wait|pause|sleep|delay|leave|with)(?:ing)?(?: (?:of|for|by|is|at least|about|a delay of|a pause of))*:? (${numeral})\s?(?:an? )?${time}(?: (?:of )?(?:delay|pause))?(?: (?:between|after|before)(?: (?:each|every|the|two|all))?(?: (?:pages?|requests?|visits?))?)?`,
    ([, count, unit]) => delayOf(valueOf(count ?? '') * secondsIn(unit)),
  ),
  amount(
    String.raw`\b(${numeral})[\s-]?(?:an? )?${time}(?: (?:of )?(?:delay|pause|wait|apart))?(?: (?:between|after|before)(?: (?:each|every|the|two|all))?(?: (?:pages?|requests?|visits?))?)?`,
    ([, count, unit]) => delayOf(valueOf(count ?? '') * secondsIn(unit)),
  ),
  amount(`\\b${slow}(?:[\\s,;.!]+(?:and |but )?${slow})*\\b`, () => ({ delay: 1 })),
  amount(
    String.raw`\b(?:only|just)(?: crawl| scrape| fetch| get)? (?:this|the start|the home|the front|the landing|a single|one)[\s-]?(?:one )?page\b(?! (?:under|in|from|of))`,
    () => ({ limit: 1, maxDiscoveryDepth: 0 }),
  ),
  amount(String.raw`\b(?:do not|don'?t|without|never) follow(?:ing)? (?:any |the )?links\b`, () => ({
    maxDiscoveryDepth: 0,
  })),
  amount(
    String.raw`\b(?:only|just) (?:the )?(?:direct links|directly linked pages|pages (?:directly )?linked (?:from|on) (?:the |this )?(?:start|home|front|landing)?\s?page)\b`,
    () => ({ maxDiscoveryDepth: 1 }),
  ),
  amount(
    String.raw`\b(?:${most}|only|just)?\s*(${numeral})[\s-](?:path )?(?:segments?|folders?|director(?:y|ies))(?: deep)?\b|\bpath depth(?: of| is|:)? (${numeral})`,
    ([, one, other]) => shallower(valueOf(one ?? other ?? '')),
  ),
  amount(
    String.raw`\b(?:(?:${most}|only|just)\s+)?(?:a )?(?:max(?:imum)? )?(?:crawl(?:ing)? |link |discovery )?depth(?: limit)?(?: of| is| to| at|:|=)?\s*(${numeral})`,
    ([, depth]) => depthOf(depth),
  ),
  amount(
    String.raw`\b(?:(?:${most}|only|just|go|no deeper than)\s+)?(${numeral})[\s-](?:levels?|clicks?|hops?|layers?|links? (?:deep|away))(?: (?:deep|down|away|from (?:the )?(?:start|home|root)(?:\s?page)?|of (?:links|depth)))*\b`,
    ([, depth]) => depthOf(depth),
  ),
  amount(String.raw`\bno deeper than (${numeral})`, ([, depth]) => depthOf(depth)),
  amount(String.raw`\b(?:${most}):?\s+(?:the first )?(${numeral})${otherUnit}`, ([, count]) => limitOf(count)),
  amount(
    String.raw`\b(?:(?:${some})\s+)?(${numeral})((?: [a-z]+){0,2} (?:${units}))\b`,
    ([, count]) => (/^an?$/i.test(count ?? '') ? undefined : limitOf(count)),
    ([, , kept]) => kept ?? '',
  ),
  amount(String.raw`\blimit\b\W{1,3}(${numeral})`, ([, count]) => limitOf(count)),
]

const secondsIn = (unit = 's'): number => secondsOf[/^min/i.test(unit) ? 'minute' : /^m/i.test(unit) ? 'm' : 's'] ?? 1

/** The crawl accepts a delay above 0 and up to 60 s. */
function delayOf(seconds: number): PromptOptions | undefined {
  return seconds > 0 ? { delay: Math.min(60, Math.round(seconds * 1000) / 1000) } : undefined
}

function limitOf(count = ''): PromptOptions | undefined {
  const limit = Math.floor(valueOf(count))
  return limit >= 1 ? { limit: Math.min(limit, 10_000_000) } : undefined
}

const depthOf = (depth = ''): PromptOptions => ({ maxDiscoveryDepth: Math.min(1000, Math.floor(valueOf(depth))) })

/** Limits the depth of paths. A crawl has no such option, but a pattern has the same effect. */
const shallower = (segments: number): PromptOptions => ({
  excludePaths: [`^(?:/[^/]+){${Math.min(999, Math.floor(segments)) + 1}}`],
})

const not = String.raw`(?:do not|don'?t|not|no|never|without|exclud(?:e|ing)|ignor(?:e|ing)|skip(?:ping)?|avoid(?:ing)?|leav(?:e|ing) out|omit(?:ting)?|but not|stay(?:ing)? away from)`
const verbs = String.raw`(?: (?:follow|include|crawl|visit|leave for|go to|go into|use|us|follow|includ|crawl|visit|any|the|its|all|of|to|links|pages|into|from|on|in)(?:ing)?)*`
const subdomains = String.raw`sub-?domains?`
const elsewhere = String.raw`(?:external|outbound|outgoing|off-?site|third[- ]party)(?: (?:links?|sites?|pages?|domains?|websites?|urls?))?|other (?:web)?sites?|other domains?|links? to other (?:web)?sites?`
const query = String.raw`(?:url |query |search )?(?:parameters?|params?|query[- ]?strings?|queries)`
const site = String.raw`(?:web\s?)?(?:site|domain|host)`
const asIs = String.raw`(?=\s*(?:$|[.,;:!?¦]|and\b|but\b|except\b|exclud|without\b|with\b|includ|apart\b|other than\b|up to\b|at most\b|you\b|there\b|please\b|(?:of|on|from|in) (?:the|this|that|my|our|their) ${site}\b))`

const choice = (source: string, options: PromptOptions): Rule => firstMatch(new RegExp(source, 'i'), () => options)

/** Rules for options that are chosen by a word. Negative forms come first, because they contain the positive ones. */
const choiceRules: readonly Rule[] = [
  choice(
    String.raw`\b(?:only|just)(?: (?:use|crawl|take|from|the|urls?|pages|links|listed|found|in|of))* ?(?:the )?site-?\s?maps?\b|\bsite-?\s?maps? (?:only|urls? only|alone)\b|\b(?:pages|urls?|links) (?:listed )?(?:in|from|of) (?:the )?site-?\s?map(?: only)?\b`,
    { sitemap: 'only' },
  ),
  choice(String.raw`\b${not}(?: (?:use|using|us|read|reading|the|any|its))* site-?\s?maps?(?:\.xml)?\b`, {
    sitemap: 'skip',
  }),
  choice(String.raw`\b(?:use|using|with|including|include|and)(?: (?:the|its))? site-?\s?maps?(?:\.xml)?\b`, {
    sitemap: 'include',
  }),
  choice(String.raw`\b${not}${verbs} ${subdomains}\b`, { allowSubdomains: false }),
  choice(
    String.raw`\b(?:(?:and|including|include|with|also|plus|all|allow|follow|crawl|into|any|its|the|their|of)\s+)*${subdomains}(?: (?:too|as well|also))?\b`,
    { allowSubdomains: true },
  ),
  choice(String.raw`\b${not}${verbs} (?:${elsewhere})\b`, { allowExternalLinks: false }),
  choice(
    String.raw`\b(?:stay|keep|remain)(?:ing)? (?:on|in|within|inside|to)(?: (?:the|this|that|same))* ${site}\b|\b(?:same ${site}|internal links|internal pages)(?: only)?\b|\bonly(?: follow)? internal (?:links|pages)\b`,
    { allowExternalLinks: false },
  ),
  choice(
    String.raw`\b(?:(?:and|including|include|with|also|plus|all|allow|follow|crawl|any|the|to)\s+)*(?:${elsewhere})(?: (?:too|as well|also))?\b`,
    { allowExternalLinks: true },
  ),
  choice(
    String.raw`\b(?:do not|don'?t|never|not) (?:ignore|strip|drop|remove)(?: (?:the|any|all))* ${query}\b|\b(?:keep|respect|with|mind)(?:ing)?(?: (?:the|all|different))* ${query}\b`,
    { ignoreQueryParameters: false },
  ),
  choice(
    String.raw`\b(?:ignor(?:e|ing)|strip(?:ping)?|drop(?:ping)?|disregard(?:ing)?|remov(?:e|ing)|without|no|skip(?:ping)?|regardless of)(?: (?:the|any|all|different|of))* ${query}\b`,
    { ignoreQueryParameters: true },
  ),
  choice(
    String.raw`\b(?:keep|do not (?:drop|remove|skip|merge)|don'?t (?:drop|remove|skip|merge))(?: (?:the|all))* (?:duplicates?|similar)(?: (?:urls?|pages?))?\b`,
    { deduplicateSimilarURLs: false },
  ),
  choice(
    String.raw`\b(?:${not}|remov(?:e|ing)|drop(?:ping)?|merg(?:e|ing))(?: (?:the|any|all))* (?:duplicates?|similar(?= (?:urls?|pages?)))(?: (?:urls?|pages?))?\b|\bde-?dup(?:e|licate)?(?: (?:the|all|similar|urls?|pages?))*\b`,
    { deduplicateSimilarURLs: true },
  ),
  choice(
    String.raw`\b(?:(?:crawl|scrape|all of|on|across|of|over)\s+)*(?:the |this |that |my |our |their )?(?:whole|entire|complete|full) ${site}\b|\b(?:every|each)(?: single)? page${asIs}|\ball(?: of)?(?: the| its)? pages${asIs}|\beverything${asIs}|\b(?:also |including |include |and )*(?:sibling|parent)(?: and (?:sibling|parent))?(?: (?:pages|links|paths))?\b`,
    { crawlEntireDomain: true },
  ),
]

const robots =
  /\b(?:ignor(?:e|ing)|disregard(?:ing)?|bypass(?:ing)?|do not (?:obey|respect|follow)|don'?t (?:obey|respect|follow)|without) (?:the )?robots(?:\.txt)?\b/i

/** A prompt cannot override robots.txt. */
const robotsRule: Rule = (draft) =>
  robots.test(draft.text)
    ? {
        ...draft,
        text: draft.text.replace(robots, '¦'),
        notes: [...draft.notes, 'robots.txt is obeyed: set ignoreRobotsTxt yourself if you may.'],
      }
    : {
        ...draft,
        text: draft.text.replace(/\b(?:obey|respect|follow|honou?r)(?:ing)? (?:the )?robots(?:\.txt)?\b/i, '¦'),
      }

/**
 * Result of reading a prompt. `leftover`: words of the caller that were not understood; `notes` are shown to the
 * caller.
 */
export type Reading = {
  options: PromptOptions
  reasons: Reasons
  leftover: readonly string[]
  notes: readonly string[]
}

/**
 * Amounts come first, because their numbers and units could be read as parts of the site; rules that narrow the crawl
 * come last.
 */
const rules: readonly Rule[] = [...amountRules, robotsRule, ...choiceRules, excludedPaths, includedPaths]

/** Reads a prompt in plain English by rules, without a model and without fetching the site. Pure. */
export function readByRules(url: string, prompt: string): Reading {
  const first: Draft = { text: tidied(url, prompt), options: {}, reasons: {}, notes: [] }
  const { text, ...read } = rules.reduce((draft, rule) => rule(draft), first)
  return { ...read, leftover: leftoverOf(text) }
}

/** Normalizes a prompt: removes quotes and brackets, and reduces URLs of the site to their paths. */
function tidied(url: string, prompt: string): string {
  const origin = URL.parse(url)?.host ?? ''
  const bare = origin.replace(/^www\./, '')
  const address = new RegExp(`(?:https?://)?(?<![\\w.-])(?:www\\.)?${escaped(bare)}(?![\\w-]|\\.\\w)`, 'gi')
  return prompt
    .replace(/[‘’]/g, "'")
    .replace(/[“”"`]|(?<!\w)'|'(?!\w)/g, ' ')
    .replace(bare === '' ? /$^/ : address, ' ')
    .replace(/\b(?:nothing|no pages?) (?:but|except|other than|else than)\b/gi, 'only')
    .replace(/(?<=\/[\w\-./]*)\*+/g, '')
    .replace(/[()[\]{}<>]/g, ' , ')
    .replace(/(?<=\s|^)\/(?=\s|$)/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, ' . ')
    .trim()
}

/** Words that ask for a crawl without specifying anything. */
const idle = new Set(
  `a about across again all also an and any are as at be begin below both but by can case could crawl crawled crawler crawling do does
  download each else every everything fetch find first focus follow folder folders for from gather get give go going grab here hi hello
  i if in including include includes index inside into is it items its itself just keep kind let like limit list look looking make map
  me my need next of on once one only option or our out over page pages part parts please pull read relevant restrict result results
  return save scan scrape scraping search section sections see set should site sites so some start starting stay subpages take
  than thank thanks that the their them then there these they thing things this those through to under up url urls use us using visit
  want we web webpage webpages website websites well what where which whole will with within would you your content contents document
  documents path paths link links domain collect extract extracting data info information area directory tree too matching matches
  located lies lie live being have has it's i'd i'm we'd at`.split(/\s+/),
)
const maxWords = 10
const maxLength = 40

/**
 * Returns the words of a prompt that no rule matched, without filler words. They are the caller's own words; a few are
 * enough.
 */
function leftoverOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’./-]*/gu) ?? []
  const cleaned = words.map((word) => word.replace(/[.'’/-]+$/, '')).filter((word) => !idle.has(word.toLowerCase()))
  return [...new Set(cleaned)].slice(0, maxWords).map((word) => word.slice(0, maxLength))
}
