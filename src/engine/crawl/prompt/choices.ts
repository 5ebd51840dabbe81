import { firstMatch, type PromptOptions, type Rule } from './draft.ts'

const not = String.raw`(?:do not|don'?t|not|no|never|without|exclud(?:e|ing)|ignor(?:e|ing)|skip(?:ping)?|avoid(?:ing)?|leav(?:e|ing) out|omit(?:ting)?|but not|stay(?:ing)? away from)`
const verbs = String.raw`(?: (?:follow|include|crawl|visit|leave for|go to|go into|use|us|follow|includ|crawl|visit|any|the|its|all|of|to|links|pages|into|from|on|in)(?:ing)?)*`
const subdomains = String.raw`sub-?domains?`
const elsewhere = String.raw`(?:external|outbound|outgoing|off-?site|third[- ]party)(?: (?:links?|sites?|pages?|domains?|websites?|urls?))?|other (?:web)?sites?|other domains?|links? to other (?:web)?sites?`
const query = String.raw`(?:url |query |search )?(?:parameters?|params?|query[- ]?strings?|queries)`
const site = String.raw`(?:web\s?)?(?:site|domain|host)`
const asIs = String.raw`(?=\s*(?:$|[.,;:!?¦]|and\b|but\b|except\b|exclud|without\b|with\b|includ|apart\b|other than\b|up to\b|at most\b|you\b|there\b|please\b|(?:of|on|from|in) (?:the|this|that|my|our|their) ${site}\b))`

const choice = (source: string, options: PromptOptions): Rule => firstMatch(new RegExp(source, 'i'), () => options)

/** What is chosen by a word; the words for no come before those for yes, which they hold. */
export const choiceRules: readonly Rule[] = [
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

/** What a site forbids is not opened by a word in a prompt. */
export const robotsRule: Rule = (draft) =>
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
