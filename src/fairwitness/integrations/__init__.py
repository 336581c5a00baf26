"""Other people's tools, one file each. A tool is imported only when it is used."""
