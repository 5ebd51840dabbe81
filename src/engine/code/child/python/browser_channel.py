"""Requests to the process that controls the browser, over descriptor 3: NUL-terminated JSON messages."""
import asyncio, inspect, json, os, socket

link = socket.socket(fileno=3)
buffered = bytearray()
jobs = []
responses = {}
pending = {}
watched_loops = set()
callbacks = []
running_callbacks = []
last_request = 0
# Set by the API: encodes a value for sending.
encode_result = None


def send(message):
    link.sendall(json.dumps(message).encode() + b'\0')


def read_some():
    """Reads at least one byte, and handles all complete messages."""
    chunk = link.recv(1 << 16)
    if not chunk:
        os._exit(0)
    buffered.extend(chunk)
    if 0 not in chunk:
        return
    *frames, rest = bytes(buffered).split(b'\0')
    buffered[:] = rest
    for frame in frames:
        handle(json.loads(frame))


def handle(message):
    if 'job' in message:
        jobs.append(message['job'])
    elif 'callback' in message:
        run_callback(message['call'], callbacks[message['callback']], message['arguments'])
    elif message['response'] in pending:
        future = pending.pop(message['response'])
        if not future.done():
            future.set_result(message)
    else:
        responses[message['response']] = message


def run_callback(call, function, arguments):
    """Sends the return value of the function, or its error, to the other process."""
    def failed(error):
        send({'returned': call, 'error': f'{type(error).__name__}: {error}'})

    async def finish(awaitable):
        try:
            answer(await awaitable)
        except BaseException as error:
            failed(error)
            raise

    def answer(value):
        send({'returned': call, 'value': encode_result(value)})

    try:
        result = function(*arguments)
        if inspect.isawaitable(result):
            running_callbacks.append(asyncio.ensure_future(finish(result)))
        else:
            answer(result)
    except BaseException as error:
        failed(error)
        raise


async def as_coroutine(awaitable):
    return await awaitable


def next_job():
    while not jobs:
        read_some()
    return jobs.pop()


def register_callback(function):
    """Returns the number by which the other process calls the function."""
    callbacks.append(function)
    return len(callbacks) - 1


def start_request(path):
    global last_request
    last_request += 1
    send({'request': last_request, 'path': path})
    return last_request


def request_now(path):
    number = start_request(path)
    while number not in responses:
        read_some()
    return responses.pop(number)


async def request(path):
    loop = asyncio.get_running_loop()
    if loop not in watched_loops:
        watched_loops.add(loop)
        loop.add_reader(link.fileno(), read_some)
    number = start_request(path)
    pending[number] = loop.create_future()
    return await pending[number]


def close(done):
    """Reports the outcome, then reads to the end: writing to a closed socket would make the other side lose unread
    data."""
    send({'done': done})
    while link.recv(1 << 16):
        pass
