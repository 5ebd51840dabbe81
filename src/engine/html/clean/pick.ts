import type { PageKind } from './kind.ts'
import type { Measure } from './measure.ts'

/** True when Readability's article is likelier the content than the cleaned root. `ratio` etc. compare texts in characters. */
export function prefersArticle(article: Measure, root: Measure, kind: PageKind): boolean {
  const ratio = article.text / (root.text || 1)
  if (root.text < 100 && article.text > root.text) return true
  if (kind.product && !kind.articleData && ratio < 0.85) return false
  return (
    holdsMost(article, root, ratio, kind) ||
    (!kind.forum && !kind.product && isProseAmongLinks(article, root, kind, ratio))
  )
}

/** An article that leaves much of the prose out has cut into the content, however long it is. */
function holdsMost(article: Measure, root: Measure, ratio: number, kind: PageKind): boolean {
  if (article.text <= 300) return false
  if (kind.forum) return ratio > 0.55 && ratio < 1.1
  const proseShare = root.proseText > 0 ? article.proseText / root.proseText : 1
  if (leavesSectionsOut(article, root)) return false
  if (ratio > 0.6) return proseShare > 0.7
  return kind.article && !kind.product && article.text > 800 && ratio > 0.3 && proseShare > 0.7
}

/** Headings with text that is not links under them are sections of the content, short as their texts may be. */
function leavesSectionsOut(article: Measure, root: Measure): boolean {
  const text = root.text - article.text
  return root.headings - article.headings > 5 && root.linkText - article.linkText <= 0.6 * text
}

/** Paragraphs with few links, while the rest of the page is full of them. */
function isProseAmongLinks(article: Measure, root: Measure, kind: PageKind, ratio: number): boolean {
  if (article.text < 350 || article.linkText >= 0.1 * article.text) return false
  const rest = root.text - article.text
  if (rest > 0 && (root.linkText - article.linkText) / rest <= 0.25) return false
  if (kind.article && article.proseText > 0.8 * article.text) return true
  return article.text > 1500 && article.proseText > 0.4 * article.text && article.proses >= 3 && ratio > 0.15
}
