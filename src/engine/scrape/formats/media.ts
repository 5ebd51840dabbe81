import type { Media, MediaFault } from '../../../contracts/page-content.ts'
import type { FieldsOf, Maker } from './maker.ts'

const install =
  'If yt-dlp is installed on the machine that runs Gossamer (`pipx install yt-dlp`; on the PATH, or set by GOSSAMER_YT_DLP_PATH), the media players of many sites are supported too.'
const because: Record<MediaFault, string> = {
  'not installed': install,
  'too slow': 'yt-dlp was asked, but did not answer in time.',
  'found none': 'yt-dlp was asked as well and found none.',
}

/** The URL that the page plays or names; yt-dlp finds what only the page's player knows. */
function maker(kind: keyof Media): Maker<unknown, FieldsOf<'audio' | 'video'>> {
  const none = `The HTML of this page names no ${kind}.`
  return {
    needs: ['media'],
    async make({ content, findMedia }) {
      const named = content.media?.[kind]
      if (named !== undefined) return { [kind]: named }
      const found = await findMedia?.()
      if (!found) return { warning: none }
      const url = found[kind]
      return url === undefined ? { warning: `${none} ${because[found.fault ?? 'found none']}` } : { [kind]: url }
    },
  }
}

export const audio = maker('audio')
export const video = maker('video')
