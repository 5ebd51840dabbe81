/** An address that a page names as sound or film, as it is written. */
export type NamedMedia = {
  source: unknown
  /** Media type beside it. */
  type?: string | null | undefined
  /** What it is where neither its type nor its ending tells. */
  kind: 'audio' | 'video' | undefined
  origin: 'player' | 'decoration' | 'data' | 'openGraph' | 'card' | 'link' | 'anchor'
  /** Lines of the picture. */
  size?: number
}

/** What an address leads to, as far as its ending and the type beside it tell. */
type MediaFile = {
  kind: 'audio' | 'video' | undefined
  /** How well programs can use it, the least is best: a file that most play, another file, who knows, a playlist. */
  rank: number
  /** Of a stream (HLS, DASH); its kind is not known. */
  isPlaylist: boolean
}

const audioEndings = /\.(?:mp3|m4a|m4b|aac|oga|ogg|opus|flac|wav|weba|wma|aiff?)$/i
const videoEndings = /\.(?:mp4|m4v|webm|ogv|mov|mkv|avi|mpe?g|wmv|3gp|flv)$/i
const playlists = /\.(?:m3u8|mpd)$/i
const playlistTypes = /^(?:application|audio)\/(?:vnd\.apple\.mpegurl|x-mpegurl|mpegurl|dash\+xml)/i
const widely = /\.(?:mp3|m4a|mp4|m4v)$/i
const widelyTypes = /^(?:audio\/(?:mpeg|mp3|mp4|x-m4a|aac)|video\/mp4)\b/i

const usual = 0
const unusual = 1
export const unsure = 2
const playlist = 3

/** @param type media type that the page gives with the address; it wins over the ending. */
export function mediaFile(address: string, type: string | null | undefined): MediaFile {
  const path = URL.parse(address)?.pathname ?? ''
  const said = type?.trim() ?? ''
  if (playlistTypes.test(said) || playlists.test(path)) return { kind: undefined, rank: playlist, isPlaylist: true }
  const isUsual = widely.test(path) || widelyTypes.test(said)
  const kind = kindOfType(said) ?? kindOfPath(path)
  return { kind, rank: isUsual ? usual : kind ? unusual : unsure, isPlaylist: false }
}

function kindOfType(type: string): MediaFile['kind'] {
  return /^audio\//i.test(type) ? 'audio' : /^video\//i.test(type) ? 'video' : undefined
}

function kindOfPath(path: string): MediaFile['kind'] {
  return audioEndings.test(path) ? 'audio' : videoEndings.test(path) ? 'video' : undefined
}
