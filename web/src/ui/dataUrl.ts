/** A file as an address that holds all of it: `data:image/png;base64,…`. */
export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('Couldn’t read the file.'));
    reader.readAsDataURL(file);
  });
}

/** What is in a file, as base64. */
export async function base64Of(file: Blob): Promise<string> {
  return (await dataUrl(file)).replace(/^[^,]*,?/, '');
}
