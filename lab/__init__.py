"""What users never run: rebuilding shipped data, teaching ears, plots for papers, figures about the code itself."""
