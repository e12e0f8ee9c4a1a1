/** Sends chosen pictures to the parts matched by name. The shop adds them in the background. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  type FileQueued,
  type PictureMatches,
  pictureQueueLimits,
} from '#contracts/picture-queue.ts'
import { pictureLimits } from '#contracts/pictures.ts'
import { ApiError, api, callShop } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { maxRead, preparePicture } from './picture-input.tsx'
import { type NamedFile, readZip } from './read-zip.ts'

type Match = PictureMatches[number]
/** A picture and its part; '' while no part is chosen, or if the picture is left out. */
export type ChosenPicture = { id: number; file: NamedFile; match: Match; partId: string }
export type Problem = { name: string; message: string }

/** The chosen files: pictures, and files that are not pictures. */
export type Choice = { pictures: ChosenPicture[]; problems: Problem[] }

export type Sending =
  | { phase: 'none' }
  | { phase: 'reading' }
  | { phase: 'refused'; message: string }
  | ({ phase: 'chosen' } & Choice)
  | {
      phase: 'sending' | 'sent'
      sentCount: number
      there: number
      total: number
      problems: Problem[]
    }

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isZip = ({ name, type }: File) => /\.zip$/i.test(name) || /zip/.test(type)
const isPicture = (name: string) => /\.(jpe?g|png|webp)$/i.test(name)

/** Why a file is not accepted as a picture. */
const whyNot = (name: string) =>
  /\.zip$/i.test(name)
    ? 'We can’t open a ZIP inside a ZIP. Unpack it first.'
    : 'It isn’t a JPEG, PNG or WebP.'

async function filesIn(files: File[]): Promise<NamedFile[]> {
  const all: NamedFile[] = []
  for (const file of files) {
    if (isZip(file)) all.push(...(await readZip(file, maxRead)))
    else all.push({ name: file.name, size: file.size, read: async () => file })
  }
  return all
}

/** Requests the parts that match the names. */
async function matched(files: NamedFile[]): Promise<ChosenPicture[]> {
  const matches: Match[] = []
  for (let i = 0; i < files.length; i += pictureQueueLimits.names) {
    const names = files.slice(i, i + pictureQueueLimits.names).map(({ name }) => name.slice(-500))
    const answer = await api['picture-queue'].match.$post({ json: { names } })
    matches.push(...(await answer.json()))
  }
  return files.map((file, id) => {
    const match = matches[id] ?? { by: null, place: 0, parts: [] }
    const [first, ...others] = match.parts
    return { id, file, match, partId: first && others.length === 0 ? first._id : '' }
  })
}

/**
 * The files of a ZIP or a selection, matched with parts.
 * @throws Error with a message for the admin
 */
async function readChoice(files: File[]): Promise<Choice> {
  const all = await filesIn(files)
  const named = all.filter(({ name }) => isPicture(name))
  const others = all.filter(({ name }) => !isPicture(name))
  const problems = others.map(({ name }) => ({ name, message: whyNot(name) }))
  if (named.length === 0 && problems.length === 0) throw new Error('It contains no files.')
  return { pictures: await matched(named), problems }
}

/** Temporary errors: the rate limit, a full queue, no network. */
const isWorthWaiting = (error: unknown) =>
  error instanceof ApiError && [0, 429, 503].includes(error.status)
const pauseMs = 5_000

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pauseMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

async function sendOne(
  { file, partId, match }: ChosenPicture,
  signal: AbortSignal,
): Promise<FileQueued['state']> {
  const name = file.name.slice(-500)
  let body = await file.read()
  if (body.size > pictureLimits.bytes) {
    const prepared = await preparePicture(new File([body], name))
    prepared.preview.close()
    body = prepared.file
  }
  const query = new URLSearchParams({ partId, name, place: String(match.place) })
  for (;;) {
    try {
      const headers = { 'content-type': 'application/octet-stream' }
      const init = { method: 'POST', headers, body, signal }
      const answer: FileQueued = await (await callShop(`/api/picture-queue?${query}`, init)).json()
      return answer.state
    } catch (error) {
      if (signal.aborted || !isWorthWaiting(error)) throw error
      await pause(signal)
    }
  }
}

/** The number of pictures sent concurrently. */
const lanes = 3

/** Makes the browser ask before the user leaves the page. */
const askFirst = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Kept outside the screen: an admin may use other screens while pictures are sent, and finds the
 * state on return.
 */
let state: Sending = { phase: 'none' }
let work = new AbortController()
const listeners = new Set<() => void>()

function show(next: Sending): void {
  state = next
  if (next.phase === 'sending') window.addEventListener('beforeunload', askFirst)
  else window.removeEventListener('beforeunload', askFirst)
  for (const listener of listeners) listener()
}
function listen(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
function begin(): AbortSignal {
  work.abort()
  work = new AbortController()
  return work.signal
}
function again(): void {
  begin()
  show({ phase: 'none' })
}

async function choose(files: File[]): Promise<void> {
  if (files.length === 0) return
  const signal = begin()
  show({ phase: 'reading' })
  const next = await readChoice(files).then(
    (choice): Sending => ({ phase: 'chosen', ...choice }),
    (error): Sending => ({ phase: 'refused', message: messageOf(error) }),
  )
  if (!signal.aborted) show(next)
}

/** Assigns a picture to a part. */
function assign(id: number, partId: string): void {
  if (state.phase !== 'chosen') return
  const pictures = state.pictures.map((each) => (each.id === id ? { ...each, partId } : each))
  show({ ...state, pictures })
}

const isSignedOut = (error: unknown) =>
  error instanceof ApiError && [401, 403].includes(error.status)

async function send(client: QueryClient): Promise<void> {
  if (state.phase !== 'chosen') return
  const signal = begin()
  // each part gets its first picture before any gets a second
  const rest = state.pictures
    .filter(({ partId }) => partId !== '')
    .toSorted((a, b) => a.match.place - b.match.place || a.file.name.localeCompare(b.file.name))
  const total = rest.length
  let [sentCount, there] = [0, 0]
  const problems: Problem[] = []
  const showProgress = (phase: 'sending' | 'sent') =>
    show({ phase, sentCount, there, total, problems: [...problems] })
  const lane = async () => {
    for (let next = rest.shift(); next && !signal.aborted; next = rest.shift()) {
      try {
        if ((await sendOne(next, signal)) === 'there') there += 1
        sentCount += 1
      } catch (error) {
        if (signal.aborted) return
        // without a session the others would be refused too
        if (isSignedOut(error)) return again()
        problems.push({ name: next.file.name, message: messageOf(error) })
      }
      if (!signal.aborted) showProgress('sending')
    }
  }
  showProgress('sending')
  await Promise.all(Array.from({ length: lanes }, lane))
  await outdate(client, 'sendPictures')
  if (work.signal === signal) showProgress('sent')
}

/** Chooses, matches and sends pictures, even while other screens are open. */
export function useSendPictures() {
  const client = useQueryClient()
  const now = useSyncExternalStore(
    listen,
    () => state,
    () => state,
  )
  return {
    state: now,
    choose,
    assign,
    send: () => send(client),
    stop: () => work.abort(),
    again,
  }
}

const pollMs = 2_000

/** The progress of the shop's queue, polled while pictures wait. */
export function usePictureQueue() {
  return useQuery({
    queryKey: ['picture-queue'],
    queryFn: async ({ signal }) =>
      (await api['picture-queue'].$get({}, { init: { signal } })).json(),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.waiting ? pollMs : false),
  })
}

/** Retries or dismisses failed pictures. */
export function usePictureFailures() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (what: 'retry' | 'dismiss') => {
      if (what === 'retry') await api['picture-queue'].retry.$post()
      else await api['picture-queue'].failures.$delete()
    },
    onSettled: () => outdate(client, 'endPictureFailures'),
  })
}
