const shop = String.raw`(?:please )?(?:select|choose|pick) (?:your |a |an )?(?:size|colou?r|option|style|variant|quantity)s?|size (?:guide|chart)s?|(?:quantity|qty)|what['’]?s my size\??`

const lists = String.raw`(?:sort|view|show|filter)(?: by)?:|(?:items|results) per page|sort by (?:date|votes?|newest|oldest|popularity|relevance|price|featured|best selling)|of \d[\d,]*|\d[\d,]* ?[-–—] ?\d[\d,]* (?:items |products |results )?of \d[\d,]*(?: (?:items|products|results))?|page \d+ of \d+|1 (?:of|/) \d+`

const counts = String.raw`(?:[\d.,]+ ?[km]?\+? ?)(?:shares?|likes?|posts?|votes?|upvotes?|followers?|reactions?|claps?|tweets?|retweets?|pins?)|(?:followers|shares|likes|votes|posts|reactions):? ?[\d.,]*[km]?|(?:replies|views):? [\d.,]+k?`

const widget = new RegExp(`^(?:${shop}|${lists}|${counts})\\s*[:.…]?$`, 'i')

/** Words of choosers, of lists and of counters, where they stand alone. */
export const namesWidget = (words: string) => widget.test(words)

/** Class words of the counters beside posts and articles. */
export const counterClass =
  /(?:^|[-_\s])(?:votes?|upvotes?|vote-?count|like-?count|likes|shares?|share-?count|karma|claps?|reactions?)(?:$|[-_\s])/i
/** On a forum a score is that of a post; elsewhere it may be of a match or a test. */
export const scoreClass = /(?:^|[-_\s])(?:score|points?|rep(?:utation)?)(?:$|[-_\s])/i
export const isCount = (words: string) => /^[-+−–]?\d[\d.,]*\s?[km]?$/i.test(words)
