import type { Media, MediaFault } from '../../../contracts/media.ts'
import type { Maker } from './maker.ts'

const install =
  'Where yt-dlp is installed on the machine that runs Gossamer (`pipx install yt-dlp`; on the PATH, or named by the ytDlpPath setting), the players of many sites are understood as well.'
const because: Record<MediaFault, string> = {
  'not installed': install,
  'too slow': 'yt-dlp was asked, but did not answer in time.',
  'found none': 'yt-dlp was asked as well and found none.',
}

/** The address of what the page plays or names; what only its player knows is found by yt-dlp. */
function maker(kind: keyof Media): Maker<unknown> {
  const none = `There is no ${kind} on this page that its HTML names.`
  return {
    needs: ['media'],
    async make({ parts, mediaBehind }) {
      const named = parts.media?.[kind]
      if (named !== undefined) return { [kind]: named }
      const behind = await mediaBehind?.()
      if (!behind) return { warning: none }
      const found = behind[kind]
      return found === undefined ? { warning: `${none} ${because[behind.fault ?? 'found none']}` } : { [kind]: found }
    },
  }
}

export const audio = maker('audio')
export const video = maker('video')
