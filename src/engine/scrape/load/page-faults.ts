import type { PageFault, PageResponse } from '../../../contracts/fetch.ts'

const texts: Readonly<Record<PageFault, string>> = {
  'cut off': 'The page was cut off on its way: its compressed body ends before it is whole.',
  'refresh refused':
    'The page sends its visitors on (refresh) to an address that may not be reached from here, such as a private one; this was not followed.',
}
const partText = 'The site answered with a part of the page (206) although the whole was asked for.'

/** What is wrong with a response, in words for `warning`. */
export function faultText({ status, faults = [] }: Pick<PageResponse, 'status' | 'faults'>): string | undefined {
  const said = [...(status === 206 ? [partText] : []), ...faults.map((fault) => texts[fault])]
  return said.length > 0 ? said.join(' ') : undefined
}
