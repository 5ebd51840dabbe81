import type { SearchCategory } from '../../../core/search.ts'

/** Sites that a category is searched on by engines that know no categories. */
export const categorySites: Record<SearchCategory, readonly string[]> = {
  github: ['github.com'],
  research: [
    'arxiv.org',
    'scholar.google.com',
    'pubmed.ncbi.nlm.nih.gov',
    'researchgate.net',
    'nature.com',
    'science.org',
    'ieee.org',
    'acm.org',
    'springer.com',
    'wiley.com',
    'sciencedirect.com',
    'plos.org',
    'biorxiv.org',
    'medrxiv.org',
  ],
  pdf: [],
}

/** Further places whose results belong to a category. */
const moreSites: Record<SearchCategory, readonly string[]> = {
  github: ['github.io', 'githubusercontent.com'],
  research: [
    'doi.org',
    'semanticscholar.org',
    'openalex.org',
    'openreview.net',
    'crossref.org',
    'ncbi.nlm.nih.gov',
    'jstor.org',
    'frontiersin.org',
    'mdpi.com',
    'tandfonline.com',
    'sagepub.com',
  ],
  pdf: [],
}

/** The same host or a sub-domain of it. */
export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

export function isOfCategory(url: URL, category: SearchCategory): boolean {
  if (category === 'pdf') return isOfType(url, 'pdf')
  return [...categorySites[category], ...moreSites[category]].some((site) => isUnder(url.hostname, site))
}

/** Whether the address leads to a file of a type; papers on arXiv have PDFs without an extension. */
export function isOfType(url: URL, extension: string): boolean {
  const path = url.pathname.toLowerCase()
  if (path.endsWith(`.${extension}`) || url.searchParams.get('format')?.toLowerCase() === extension) return true
  return (
    extension === 'pdf' && (path.includes('.pdf/') || (isUnder(url.hostname, 'arxiv.org') && path.startsWith('/pdf/')))
  )
}
