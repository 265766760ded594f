// A text as a link: its name and content, packed, in the fragment, which no browser sends to a server.
const MARK = "#text=";
/** Letters of a text above which a link holds none. */
const MOST = 200_000;

export interface Shared { path: string; content: string }

async function through(data: Uint8Array<ArrayBuffer>, by: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = (new Blob([data]).stream().pipeThrough(by) as ReadableStream<Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    size += read.value.length;
    if (size > 4 * MOST) throw new Error("too long"); // a short link may unpack to anything
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

/** The link of a text, or nothing where it is too long for one. */
export async function linkOf(text: Shared, base: string): Promise<string | null> {
  if (text.content.length > MOST) return null;
  const name = text.path.split("/").pop()!;
  const packed = await through(new TextEncoder().encode(`${name}\n${text.content}`), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return base + MARK + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Whether words hold a link to a text. */
export const isLink = (words: string): boolean => words.includes(MARK);

/** The text of a link; nothing where there is none that can be read. */
export async function textOf(link: string): Promise<Shared | null> {
  const letters = link.slice(link.indexOf(MARK) + MARK.length).trim().replaceAll("-", "+").replaceAll("_", "/");
  try {
    const packed = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    const told = new TextDecoder("utf-8", { fatal: true }).decode(await through(packed, new DecompressionStream("deflate-raw")));
    const end = told.indexOf("\n");
    const name = told.slice(0, Math.max(0, end));
    return end < 0 ? null : { path: /^[\w][\w .-]{0,80}$/.test(name) ? name : "shared.toml", content: told.slice(end + 1) };
  } catch {
    return null;
  }
}
