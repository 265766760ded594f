declare module "living-worker" {
  const text: string;
  export default text;
}
